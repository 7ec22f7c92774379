/**
 * What the conformance suite looks for beside the server's own: tools, resources and prompts that it
 * knows by name. Names, texts and shapes are the suite's.
 *
 * @module
 */

import {
  type CallToolResult,
  completable,
  type GetPromptResult,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { addInputFixtures } from "./input_fixtures.ts";

type Content = CallToolResult["content"][number];

/** A PNG of one pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/** A WAV without a sample. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const image = { type: "image", data: PNG, mimeType: "image/png" } as const;

/** What the tools answer that always answer the same. */
const ANSWERS: { readonly [tool: string]: readonly Content[] } = {
  test_simple_text: [text("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  test_embedded_resource: [resource({
    uri: "test://embedded-resource",
    mimeType: "text/plain",
    text: "This is an embedded resource content.",
  })],
  test_multiple_content_types: [
    text("Multiple content types test:"),
    image,
    resource({
      uri: "test://mixed-content-resource",
      mimeType: "application/json",
      text: JSON.stringify({ test: "data", value: 123 }),
    }),
  ],
};

/** What the prompts without arguments say. */
const PROMPTS: { readonly [prompt: string]: readonly Content[] } = {
  test_simple_prompt: [text("This is a simple prompt for testing.")],
  test_prompt_with_image: [image, text("Please analyze the image above.")],
};

/** Lays all of it over a server that has no transport yet, and returns the server. */
export function addFixtures(server: McpServer): McpServer {
  server.server.registerCapabilities({ logging: {} });
  addTools(server);
  addResources(server);
  addPrompts(server);
  addInputFixtures(server);
  return server;
}

function addTools(server: McpServer): void {
  const add = (
    name: string,
    run: (context: ServerContext) => Promise<readonly Content[]>,
  ) =>
    server.registerTool(
      name,
      { description: "A fixture" },
      async (context) => ({ content: [...await run(context)] }),
    );
  for (const [name, content] of Object.entries(ANSWERS)) {
    add(name, () => Promise.resolve(content));
  }
  add("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  add("test_tool_with_progress", async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return [text("done")];
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    return [text("done")];
  });
  for (const name of ["test_tool_with_logging", "test_logging_tool"]) {
    add(name, async ({ mcpReq }) => {
      await mcpReq.log("info", "Tool execution started");
      await mcpReq.log("info", "Tool processing data");
      await mcpReq.log("info", "Tool execution completed");
      return [text("done")];
    });
  }
}

function addResources(server: McpServer): void {
  const add = (
    uri: string,
    mimeType: string,
    body: { readonly text: string } | { readonly blob: string },
  ) =>
    server.registerResource(
      uri,
      uri,
      { description: "A fixture", mimeType },
      () => ({ contents: [{ uri, mimeType, ...body }] }),
    );
  add("test://static-text", "text/plain", {
    text: "This is the content of the static text resource.",
  });
  add("test://static-binary", "image/png", { blob: PNG });
  const mimeType = "application/json";
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "A fixture", mimeType },
    ({ href: uri }, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return { contents: [{ uri, mimeType, text: JSON.stringify(data) }] };
    },
  );
}

function addPrompts(server: McpServer): void {
  for (const [name, contents] of Object.entries(PROMPTS)) {
    server.registerPrompt(
      name,
      { description: "A fixture" },
      () => said(...contents),
    );
  }
  const word = completable(z.string(), (start) => [`${start}is`]);
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "A fixture",
      argsSchema: z.object({ arg1: word, arg2: z.string() }),
    },
    ({ arg1, arg2 }) =>
      said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    {
      description: "A fixture",
      argsSchema: z.object({ resourceUri: z.string() }),
    },
    ({ resourceUri: uri }) =>
      said(
        resource({
          uri,
          mimeType: "text/plain",
          text: "Embedded resource content for testing.",
        }),
        text("Please process the embedded resource above."),
      ),
  );
}

function said(...contents: Content[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: "user", content })) };
}

function text(text: string): Content {
  return { type: "text", text };
}

function resource(
  resource: { uri: string; mimeType: string; text: string },
): Content {
  return { type: "resource", resource };
}
