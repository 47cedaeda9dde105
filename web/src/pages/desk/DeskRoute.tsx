/** `/desk` with its own styles, adopted once: the content policy takes no style that is written into a page. */
import styles from "../../styles/desk.css?inline";
import { DeskPage } from "./DeskPage.tsx";

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

export function DeskRoute() {
  return <DeskPage />;
}
