/** The night scene around a conversation, spoken or written: the dark block, the lamp, and room beside it. */
import { type ReactNode, type Ref, useRef } from "react";
import { Facade } from "../../brand/Facade.tsx";
import { type LampState, LampWindow } from "../../brand/LampWindow.tsx";
import { useInView } from "./use-in-view.ts";

/** On a small screen a conversation that runs is the page (call.css); its end is told in view. */
export type CallView = "rest" | "running" | "over";

interface CallFrameProps {
  view: CallView;
  status: string;
  lampState: LampState;
  /** For the lamp's level, without rendering. */
  lamp?: Ref<SVGSVGElement>;
  children: ReactNode;
}

export function CallFrame({ view, status, lampState, lamp, children }: CallFrameProps) {
  const area = useRef<HTMLElement>(null);
  useInView(area, view);
  return (
    <section
      ref={area}
      aria-labelledby="call-heading"
      data-status={status}
      data-view={view}
      className="call-area night relative isolate overflow-hidden rounded-panel bg-block text-ink shadow-lifted print:hidden"
    >
      <Facade
        columns={16}
        rows={6}
        className="call-facade absolute inset-0 -z-10 size-full [mask-image:linear-gradient(100deg,black_12%,transparent_62%)] max-md:[mask-image:linear-gradient(180deg,black_5%,transparent_38%)]"
      />
      <div className="call-room grid gap-x-10 gap-y-6 px-5 py-8 sm:px-10 sm:py-12 md:grid-cols-[minmax(13rem,17rem)_1fr] lg:grid-cols-[22rem_1fr] lg:gap-x-16 lg:px-16 lg:py-14">
        <div className="call-lamp flex flex-col items-center justify-center">
          <LampWindow
            {...(lamp && { ref: lamp })}
            state={lampState}
            className="h-44 sm:h-56 md:h-auto md:w-full md:max-w-56 lg:max-w-72"
          />
        </div>
        <div className="call-words flex min-w-0 flex-col justify-center md:min-h-[25rem]">{children}</div>
      </div>
    </section>
  );
}

/** What invites to a conversation. */
export function CallHeading({ children }: { children: ReactNode }) {
  return (
    <h1 id="call-heading" className="font-serif text-display font-medium">
      {children}
    </h1>
  );
}

/** While one runs, its state is what is read; the page keeps its heading for those who move by headings. */
export function HiddenHeading({ children }: { children: ReactNode }) {
  return (
    <h1 id="call-heading" className="sr-only">
      {children}
    </h1>
  );
}
