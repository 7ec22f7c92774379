/**
 * Text as the project's formatter writes it.
 *
 * @module
 */

/** Formats a document. */
export async function formatted(
  text: string,
  kind: "md" | "svg",
): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", kind, "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const written = writer.write(new TextEncoder().encode(text))
    .then(() => writer.close());
  const { code, stdout } = await child.output();
  await written;
  if (code !== 0) throw new Error(`deno fmt ended with ${code}`);
  return new TextDecoder().decode(stdout);
}
