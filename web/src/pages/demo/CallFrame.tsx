/** The night scene around a conversation, spoken or written: the dark block, the lamp, and room beside it. */
import type { ReactNode, Ref } from "react";
import { Facade } from "../../brand/Facade.tsx";
import { type LampState, LampWindow } from "../../brand/LampWindow.tsx";

interface CallFrameProps {
  status: string;
  lampState: LampState;
  /** For the lamp's level, without rendering. */
  lamp?: Ref<SVGSVGElement>;
  /** How large the lamp is on a small screen, where words, or words and a keyboard, need the room. */
  lampWhenSmall: "large" | "small" | "hidden";
  children: ReactNode;
}

export function CallFrame({ status, lampState, lamp, lampWhenSmall, children }: CallFrameProps) {
  return (
    <section
      aria-labelledby="call-heading"
      data-status={status}
      className="night relative isolate overflow-hidden rounded-panel bg-block text-ink shadow-lifted print:hidden"
    >
      <Facade
        columns={16}
        rows={6}
        className="absolute inset-0 -z-10 size-full [mask-image:linear-gradient(100deg,black_12%,transparent_62%)] max-md:[mask-image:linear-gradient(180deg,black_5%,transparent_38%)]"
      />
      <div className="grid gap-x-10 gap-y-6 px-5 py-8 sm:px-10 sm:py-12 md:grid-cols-[minmax(13rem,17rem)_1fr] lg:grid-cols-[22rem_1fr] lg:gap-x-16 lg:px-16 lg:py-14">
        <div
          className={`flex flex-col items-center justify-center ${lampWhenSmall === "hidden" ? "max-sm:hidden" : ""}`}
        >
          <LampWindow
            {...(lamp && { ref: lamp })}
            state={lampState}
            className={`${lampWhenSmall === "large" ? "h-44" : "h-28"} sm:h-56 md:h-auto md:w-full md:max-w-56 lg:max-w-72`}
          />
        </div>
        <div className="flex min-w-0 flex-col justify-center md:min-h-[25rem]">{children}</div>
      </div>
    </section>
  );
}

/** Large while it invites, small once there is something to read. */
export function CallHeading({ small, children }: { small: boolean; children: ReactNode }) {
  return (
    <h1
      id="call-heading"
      className={
        small ? "font-serif text-title font-medium text-quiet" : "font-serif text-display font-medium"
      }
    >
      {children}
    </h1>
  );
}
