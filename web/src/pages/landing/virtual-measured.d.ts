/** The module that `build/measured.ts` makes. */
declare module "virtual:measured" {
  export const MEASURED: import("./measured.ts").Measured;
}
