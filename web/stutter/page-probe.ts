/**
 * Measures in the desk's own page, from before its scripts run: frames, long tasks, keys, and how soon a caption that the
 * server tells is on the screen. Holds numbers alone, and of captions no words longer than until they are shown.
 */

/** Of one stretch of time. */
export interface Measured {
  seconds: number;
  /** Between one frame and the next, in milliseconds. */
  frames: number[];
  /** Tasks of more than 50 ms. */
  longTasks: number[];
  longFrames: LongFrame[];
  /** From a key to the next paint; what took less than the browser tells is 16 ms. */
  keys: { key: string; ms: number }[];
  captions: ShownCaption[];
  /** Captions of the open call that were told and never seen. */
  unshown: number;
  /** By name, how many events the server told. */
  told: Record<string, number>;
  /** How many rows the list of live calls had, at each second. */
  rows: number[];
}

/**
 * A frame, from its first task to its paint, of more than 50 ms, by the browser's Long Animation Frames; also a task that has
 * drawn nothing. All in milliseconds. One without scripts is the browser's own doing, or that of whoever measures.
 */
export interface LongFrame {
  /** From the stretch's beginning. */
  at: number;
  ms: number;
  /** By how much its tasks were longer than 50 ms. */
  blocked: number;
  /** Until drawing began; then what was asked for at each frame; then styles, layout and paint. */
  tasks: number;
  callbacks: number;
  drawing: number;
  scripts: LongScript[];
}

/** Of the page's scripts, what ran for 5 ms or more. */
export interface LongScript {
  ms: number;
  /** Of it, styles and layout that it asked for before they were due. */
  layout: number;
  /** What called it, such as `TimerHandler:setInterval`. */
  invoker: string;
  /** The function, its file, and the character in it, which `dist`'s source maps lead from. */
  source: string;
}

/** Moments are milliseconds since 1970. */
export interface ShownCaption {
  callId: string;
  /** In seconds from the call's start. */
  at: number;
  toldAt: number;
  shownAt: number;
}

export interface PageProbe {
  begin(): void;
  end(): Measured;
}

/** What the browser tells of one; TypeScript does not know it. */
interface AnimationFrameTiming extends PerformanceEntry {
  blockingDuration: number;
  /** 0 where nothing was drawn. */
  renderStart: number;
  styleAndLayoutStart: number;
  scripts: (PerformanceEntry & {
    invoker: string;
    sourceURL: string;
    sourceFunctionName: string;
    sourceCharPosition: number;
    forcedStyleAndLayoutDuration?: number;
  })[];
}

declare global {
  interface Window {
    stutter: PageProbe;
  }
}

/** Runs in the page, as it stands: it may use nothing from outside of it. */
export function installPageProbe(): void {
  /** The least that the browser tells of. */
  const LEAST_MS = 16;
  /** A caption that is to come is on the screen by then. */
  const SHOWN_WITHIN_MS = 1000;
  interface Waiting {
    callId: string;
    at: number;
    toldAt: number;
    speaker: string;
    text: string;
  }
  let frames: number[] = [];
  let longTasks: number[] = [];
  let longFrames: LongFrame[] = [];
  let pressed: { key: string; at: number; ms: number }[] = [];
  let captions: ShownCaption[] = [];
  let waiting: Waiting[] = [];
  let told: Record<string, number> = {};
  let rows: number[] = [];
  let begunAt = 0;
  let lastFrame = 0;
  let counting: ReturnType<typeof setInterval> | undefined;
  /** The call that is open on the page, by the stream of its events. */
  let open: string | null = null;

  const frame = (at: number) => {
    if (begunAt === 0) return;
    if (lastFrame > 0) frames.push(at - lastFrame);
    lastFrame = at;
    requestAnimationFrame(frame);
  };
  const tasks = new PerformanceObserver((list) => takeTasks(list.getEntries()));
  const takeTasks = (entries: PerformanceEntryList) => {
    for (const { startTime, duration } of entries) if (startTime >= begunAt) longTasks.push(duration);
  };
  tasks.observe({ type: "longtask" });
  const long = new PerformanceObserver((list) => takeFrames(list.getEntries()));
  const takeFrames = (entries: PerformanceEntryList) => {
    for (const entry of entries as AnimationFrameTiming[]) {
      const { startTime, duration, blockingDuration, renderStart, styleAndLayoutStart } = entry;
      if (startTime < begunAt) continue;
      const end = startTime + duration;
      const drawn = renderStart || end;
      const laidOut = styleAndLayoutStart || end;
      longFrames.push({
        at: startTime - begunAt,
        ms: duration,
        blocked: blockingDuration,
        tasks: drawn - startTime,
        callbacks: laidOut - drawn,
        drawing: end - laidOut,
        scripts: entry.scripts.map((script) => ({
          ms: script.duration,
          layout: script.forcedStyleAndLayoutDuration ?? 0,
          invoker: script.invoker,
          source: `${script.sourceFunctionName} ${script.sourceURL.replace(/.*\//, "")}:${script.sourceCharPosition}`,
        })),
      });
    }
  };
  long.observe({ type: "long-animation-frame" });
  const events = new PerformanceObserver((list) => takeEvents(list.getEntries()));
  const takeEvents = (entries: PerformanceEntryList) => {
    for (const { name, startTime, duration } of entries) {
      if (name !== "keydown" && name !== "keypress" && name !== "click" && name !== "keyup") continue;
      // What a key brings about, such as a click, is the key's.
      const of = pressed.findLast(({ at }) => at <= startTime + 1);
      if (of && name !== "keyup") of.ms = Math.max(of.ms, startTime + duration - of.at);
    }
  };
  events.observe({ type: "event", durationThreshold: LEAST_MS } as PerformanceObserverInit);
  window.addEventListener(
    "keydown",
    ({ key, timeStamp, isTrusted }) => isTrusted && pressed.push({ key, at: timeStamp, ms: LEAST_MS }),
    { capture: true },
  );

  const Stream = window.EventSource;
  window.EventSource = class extends Stream {
    constructor(url: string | URL, init?: EventSourceInit) {
      super(url, init);
      open = /\/api\/desk\/live\/([0-9a-f-]{36})\/events/.exec(String(url))?.[1] ?? open;
      for (const name of ["call", "call-over", "caption", "duty", "case", "ringing", "ringing-over"])
        this.addEventListener(name, ({ data }: MessageEvent<string>) => {
          told[name] = (told[name] ?? 0) + 1;
          if (name !== "caption" || open === null || !data.includes(open)) return;
          const caption = JSON.parse(data);
          // One that is not final gives way to the next within a moment.
          if (caption.isFinal) waiting.push({ ...caption, toldAt: Date.now() });
        });
    }
  };
  const shown = (node: Node) => {
    if (!(node instanceof HTMLElement)) return;
    for (const line of node.matches("li[data-speaker]")
      ? [node]
      : node.querySelectorAll("li[data-speaker]")) {
      const text = line.lastElementChild?.textContent;
      const which = waiting.findIndex(
        (each) => each.text === text && each.speaker === line.getAttribute("data-speaker"),
      );
      if (which < 0) continue;
      const [{ callId, at, toldAt }] = waiting.splice(which, 1) as [Waiting];
      captions.push({ callId, at, toldAt, shownAt: Date.now() });
    }
  };
  new MutationObserver((changes) => {
    if (waiting.length > 0) for (const { addedNodes } of changes) addedNodes.forEach(shown);
  }).observe(document, { childList: true, subtree: true });

  window.stutter = {
    begin: () => {
      tasks.takeRecords();
      long.takeRecords();
      events.takeRecords();
      [frames, longTasks, longFrames, rows] = [[], [], [], []];
      [pressed, captions, waiting, told] = [[], [], [], {}];
      begunAt = performance.now();
      lastFrame = 0;
      counting = setInterval(
        () => rows.push(document.querySelectorAll('ul[aria-label="Live calls"] > li').length),
        1000,
      );
      requestAnimationFrame(frame);
    },
    end: () => {
      takeTasks(tasks.takeRecords());
      takeFrames(long.takeRecords());
      takeEvents(events.takeRecords());
      clearInterval(counting);
      const seconds = (performance.now() - begunAt) / 1000;
      begunAt = 0;
      // Of a call that was closed meanwhile nothing more is to be shown.
      const unshown = waiting.filter(
        ({ callId, toldAt }) => callId === open && toldAt < Date.now() - SHOWN_WITHIN_MS,
      ).length;
      const keys = pressed.map(({ key, ms }) => ({ key, ms }));
      return { seconds, frames, longTasks, longFrames, keys, captions, unshown, told, rows };
    },
  };
}
