/**
 * One address before several nodes, as `deploy/caddy/nodes.Caddyfile` has it: what begins with a node's name goes to that
 * node, and is answered for with 502 when it is gone; all else goes to the first that is there.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface NodesProxy {
  url: string;
  stop(): Promise<void>;
}

/** Each node's address by its name. */
export async function startNodesProxy(nodes: ReadonlyMap<string, string>): Promise<NodesProxy> {
  const proxy = createServer(async (asked, answer) => {
    const body = Buffer.concat(await asked.toArray());
    const named = nodes.get(asked.url?.match(/^\/node\/([^/]+)\//)?.[1] ?? "");
    passOn(asked, body, named ? [named] : [...nodes.values()], answer);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}

/** To the first of these nodes that is there. */
function passOn(
  asked: IncomingMessage,
  body: Buffer,
  [node, ...others]: string[],
  answer: ServerResponse,
): void {
  if (!node) {
    answer.writeHead(502).end();
    return;
  }
  const { method, url, headers } = asked;
  const passed = request(new URL(url ?? "/", node), { method, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    // A node that dies in the middle of its answer cuts it off here too.
    answered.pipe(answer).on("close", () => passed.destroy());
    answered.on("error", () => answer.destroy());
  });
  passed.on("error", () => {
    if (answer.headersSent) answer.destroy();
    else passOn(asked, body, others, answer);
  });
  passed.end(body);
}
