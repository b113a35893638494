/** Shows a page's name and purpose. */
export function PageHeading({ heading, intro }: { heading: string; intro: string }) {
  return (
    <div className="grid gap-1">
      <h1 className="font-bold text-3xl tracking-tight">{heading}</h1>
      <p className="text-muted">{intro}</p>
    </div>
  );
}

/** Shows a section's name and what it contains. */
export function SectionHeading({ heading, help }: { heading: string; help: string }) {
  return (
    <div className="grid gap-1">
      <h2 className="font-semibold text-xl">{heading}</h2>
      <p className="text-muted text-sm">{help}</p>
    </div>
  );
}
