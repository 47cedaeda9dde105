/**
 * The desk's events from every node: a stream of each, because a call is known at the node that has it and nowhere else.
 * Which nodes there are is asked now and then, and when a stream breaks.
 */
import type { DeskNodes, NodeName } from "./contract.ts";
import { eventsAddress } from "./desk-api.ts";
import type { DeskNews } from "./desk-state.ts";
import { watchDesk } from "./watch-desk.ts";

export const NODES_EVERY_MS = 15_000;
/** While nobody has said yet which there are. */
const ASK_AGAIN_AFTER_MS = 1000;

export interface NodesWatcher {
  /** Rejected where nobody answers. */
  fetchNodes(): Promise<DeskNodes>;
  /** Nobody says which nodes there are, and none is known. */
  noAnswer(error: unknown): void;
  /** There is this one, and its stream is being opened. */
  found(node: NodeName): void;
  connected(node: NodeName): void;
  lost(node: NodeName): void;
  /** It is none of the nodes any more. */
  gone(node: NodeName): void;
  told(node: NodeName, news: DeskNews): void;
  isStillSignedIn(node: NodeName): Promise<boolean>;
  signedOut(): void;
}

interface Watched {
  connected: boolean;
  end(): void;
}

/** Returns what ends it. */
export function watchNodes(watcher: NodesWatcher): () => void {
  const watched = new Map<NodeName, Watched>();
  let asking = false;
  let ended = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  const watch = (node: NodeName) => {
    watcher.found(node);
    const its: Watched = { connected: false, end: () => {} };
    watched.set(node, its);
    its.end = watchDesk(
      {
        connected: () => {
          its.connected = true;
          watcher.connected(node);
        },
        lost: () => {
          its.connected = false;
          watcher.lost(node);
          void ask();
        },
        told: (news) => watcher.told(node, news),
        isStillSignedIn: () => watcher.isStillSignedIn(node),
        signedOut: () => watcher.signedOut(),
      },
      eventsAddress(node),
    );
  };
  const take = ({ here, nodes }: DeskNodes) => {
    const named = new Set<NodeName>(nodes);
    // A node without a name is known by the plain path alone, which leads to any of those that have one.
    const all = here === null ? named.add(null) : named;
    for (const [node, its] of watched) {
      // One whose word has lapsed for a moment, and that still tells, is there.
      if (all.has(node) || (node !== null && its.connected)) continue;
      its.end();
      watched.delete(node);
      watcher.gone(node);
    }
    for (const node of all) if (!watched.has(node)) watch(node);
  };
  const ask = async () => {
    if (asking) return;
    asking = true;
    clearTimeout(again);
    let wait = NODES_EVERY_MS;
    try {
      const told = await watcher.fetchNodes();
      if (!ended) take(told);
    } catch (error) {
      if (watched.size === 0) {
        wait = ASK_AGAIN_AFTER_MS;
        if (!ended) watcher.noAnswer(error);
      }
    }
    asking = false;
    if (!ended) again = setTimeout(() => void ask(), wait);
  };
  void ask();
  return () => {
    ended = true;
    clearTimeout(again);
    for (const { end } of watched.values()) end();
  };
}
