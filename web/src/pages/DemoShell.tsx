/** `/Demo` before its script has arrived, and all there is of it where scripts are off. */
export function DemoShell() {
  return (
    <div className="mx-auto min-h-svh max-w-[86rem] px-4 pt-4 sm:px-6 sm:pt-6">
      <title>Talk to Nightlight – demonstration</title>
      <div className="night grid min-h-[30rem] content-center rounded-panel bg-block px-5 py-10 text-ink sm:px-10 lg:px-16">
        <h1 className="font-serif text-display font-medium">A light is on for you</h1>
        <p className="mt-4 max-w-[46ch] text-lg text-quiet">
          Click the talk button to start the demonstration. It shows here in a moment.
        </p>
        <noscript>
          <p className="mt-4 max-w-[46ch] text-lg">
            Voice calls need JavaScript, which is off in this browser. The numbers above work without it.
          </p>
        </noscript>
      </div>
    </div>
  );
}
