/** The way out of the page, by its link and by Shift. */
import { act, fireEvent, render, screen } from "@testing-library/react";
import { ExitThisPage } from "./ExitThisPage.tsx";

test("the way out is a plain link by way of the server, which works before any script does", () => {
  render(<ExitThisPage />);
  const link = screen.getByRole("link", { name: "Exit this page" });
  expect(link).toHaveAttribute("href", "/leave");
  expect(link).toHaveAttribute("rel", "noreferrer nofollow");
});

test("each press of Shift is told, and the count expires after five seconds", () => {
  vi.useFakeTimers();
  try {
    render(<ExitThisPage />);
    fireEvent.keyDown(document.body, { key: "Shift" });
    expect(screen.getByRole("status")).toHaveTextContent("Shift, press 2 more times to exit.");
    fireEvent.keyDown(document.body, { key: "Shift" });
    expect(screen.getByRole("status")).toHaveTextContent("Shift, press 1 more time to exit.");
    act(() => vi.advanceTimersByTime(5000));
    expect(screen.getByRole("status")).toHaveTextContent("Exit this page expired.");
    fireEvent.keyDown(document.body, { key: "Shift" });
    expect(screen.getByRole("status")).toHaveTextContent("Shift, press 2 more times to exit.");
  } finally {
    vi.useRealTimers();
  }
});

test("another key takes the count back without a word", () => {
  render(<ExitThisPage />);
  fireEvent.keyDown(document.body, { key: "Shift" });
  fireEvent.keyDown(document.body, { key: "A" });
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});
