/** What went wrong, told at once. The place stands empty before, so that it is read out when it fills. */
import { AlertIcon } from "../../ui/icons.tsx";

export function Trouble({ words, className = "" }: { words: string | null; className?: string }) {
  return (
    <div role="alert" className={className}>
      {words && (
        <p className="flex gap-2 rounded-control bg-urgent-surface px-4 py-3 text-urgent">
          <AlertIcon className="mt-0.5 size-5" />
          <span>{words}</span>
        </p>
      )}
    </div>
  );
}
