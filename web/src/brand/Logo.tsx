/** The name with its sign: one lit window. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" className="size-9" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#0f1a35" />
        <rect x="8" y="5" width="16" height="22" rx="2" fill="#ffc566" />
        <path d="M12.2 17 14 11h4l1.8 6zM15.2 17h1.6v6h-1.6zM12.5 23h7v1.6h-7z" fill="#7a4a00" />
      </svg>
      <span className="font-serif text-[1.4rem] font-semibold tracking-tight text-ink">Nightlight</span>
    </span>
  );
}
