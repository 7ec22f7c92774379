/**
 * An MCP server with one tool that does nothing: the floor of a call over stdio.
 *
 * @module
 */

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "echo", version: "0.0.0" });
  server.registerTool(
    "echo",
    {
      description: "Returns what it is given",
      inputSchema: z.object({ id: z.string(), content: z.string() }),
      outputSchema: z.object({ id: z.string(), content: z.string() }),
    },
    (args) => ({
      structuredContent: args,
      content: [{ type: "text", text: JSON.stringify(args) }],
    }),
  );
  return server;
});
