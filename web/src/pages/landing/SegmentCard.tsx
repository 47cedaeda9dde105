/** One card, and the modal it opens. */
import { useState } from "react";
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Modal } from "../../ui/Modal.tsx";
import { ArrowIcon, PlusIcon } from "../../ui/public-icons.tsx";
import type { Segment } from "./segments.ts";

export function SegmentCard({ segment: { title, text, picture, modal } }: { segment: Segment }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <img
        src={picture.src}
        alt={picture.alt}
        width={640}
        height={440}
        loading="lazy"
        className="w-full rounded-panel"
      />
      <h3 className="mt-6 font-serif text-title font-medium">{title}</h3>
      <p className="mt-2 max-w-[44ch] text-quiet">{text}</p>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)} className="text-way mt-3">
        <PlusIcon />
        Expand<span className="sr-only"> {title}</span>
      </button>
      <Modal title={modal.title} open={open} onClose={() => setOpen(false)}>
        <img src={modal.picture.src} alt={modal.picture.alt} width={640} height={440} loading="lazy" />
        <div className="px-5 py-6 sm:px-8">
          <h2 className="font-serif text-title font-medium">{modal.title}</h2>
          {modal.paragraphs.map((paragraph) => (
            <p key={paragraph} className="mt-4">
              {paragraph}
            </p>
          ))}
          <p className="mt-7">
            <Link to={paths.demo} className="lamp-button">
              {modal.action}
              <ArrowIcon />
            </Link>
          </p>
        </div>
      </Modal>
    </li>
  );
}
