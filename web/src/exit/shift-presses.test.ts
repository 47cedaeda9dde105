/** Which presses of Shift count towards leaving the page. */
import { countPress, PRESSES_TO_LEAVE } from "./shift-presses.ts";

const shift = (at: number) => ({ key: "Shift", repeat: false, at });
const press = (...presses: Parameters<typeof countPress>[1][]) =>
  presses.reduce(countPress, [] as readonly number[]).length;

test("three presses of Shift within five seconds count", () => {
  expect(press(shift(0), shift(2500), shift(4999))).toBe(PRESSES_TO_LEAVE);
});

test("a press counts for five seconds and no longer", () => {
  expect(press(shift(0), shift(2500), shift(5000))).toBe(2);
});

test("another key between them begins the count again: capital letters do not leave", () => {
  const letter = { key: "A", repeat: false, at: 100 };
  expect(press(shift(0), letter, shift(200), letter, shift(300))).toBe(1);
});

test("Shift held down is one press", () => {
  expect(press(shift(0), { ...shift(30), repeat: true }, { ...shift(60), repeat: true })).toBe(1);
});
