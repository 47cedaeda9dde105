/**
 * A modal over the browser's own `<dialog>`, which keeps the focus inside, closes on Escape and gives the
 * focus back. The page behind it does not scroll. Exit this page stays in reach.
 */
import { type ReactNode, useEffect, useRef } from "react";
import { ExitLink } from "../exit/ExitThisPage.tsx";
import { CloseIcon } from "./public-icons.tsx";
import { useScrollLock } from "./use-scroll-lock.ts";

interface ModalProps {
  title: string;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function Modal({ title, open, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  useScrollLock(open);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) {
      element.showModal();
      // Not the first thing in it, which leads away.
      closer.current?.focus();
    } else {
      element.close();
    }
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the modal; Escape does the same by keyboard
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="modal"
    >
      {open && (
        <div className="modal-sheet">
          <div className="sticky top-0 flex items-center justify-between bg-surface px-5 py-2 sm:px-8">
            <ExitLink className="quiet-link text-sm font-bold" />
            <button
              ref={closer}
              type="button"
              aria-label="Close"
              onClick={onClose}
              className="-mr-2 grid size-11 place-items-center rounded-control hover:bg-raised"
            >
              <CloseIcon className="size-6" />
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
