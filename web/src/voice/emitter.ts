/** A typed event emitter. A listener that throws does not stop the others or the call. */
export type EventMap = Record<string, readonly unknown[]>;

type Listener = (...args: unknown[]) => void;

export class Emitter<Events extends EventMap> {
  readonly #listeners = new Map<keyof Events, Set<Listener>>();

  /** Adds a listener and returns the function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: (...args: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    // Only `emit` calls it, with the arguments that belong to `name`.
    const added = listener as unknown as Listener;
    listeners.add(added);
    return () => listeners.delete(added);
  }

  protected emit<Name extends keyof Events>(name: Name, ...args: Events[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        listener(...args);
      } catch (error) {
        console.error(`a listener of "${String(name)}" failed`, error);
      }
    }
  }
}
