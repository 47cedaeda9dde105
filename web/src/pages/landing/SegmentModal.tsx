/** What a card opens into. Loaded when somebody turns to the card: most visitors only read the page. */
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Modal } from "../../ui/Modal.tsx";
import { ArrowIcon } from "../../ui/public-icons.tsx";
import { DETAILS, type SegmentTitle } from "./segment-details.ts";

interface SegmentModalProps {
  of: SegmentTitle;
  open: boolean;
  onClose: () => void;
}

export function SegmentModal({ of, open, onClose }: SegmentModalProps) {
  const { title, paragraphs, picture, action } = DETAILS[of];
  return (
    <Modal title={title} open={open} onClose={onClose}>
      <img src={picture.src} alt={picture.alt} width={640} height={440} loading="lazy" />
      <div className="px-5 py-6 sm:px-8">
        <h2 className="font-serif text-title font-medium">{title}</h2>
        {paragraphs.map((paragraph) => (
          <p key={paragraph} className="mt-4">
            {paragraph}
          </p>
        ))}
        <p className="mt-7">
          <Link to={paths.demo} className="lamp-button">
            {action}
            <ArrowIcon />
          </Link>
        </p>
      </div>
    </Modal>
  );
}
