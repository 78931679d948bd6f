import classes from './chart.module.css';

/** One line of a tip: a colour, a name, a figure. */
export interface TipLine {
  readonly name: string;
  readonly value: string;
  /** A colour of the chart; absent for sums. */
  readonly colour?: string;
}

/** What is told of a place of a chart. */
export function TipText({ title, lines }: { readonly title: string; readonly lines: readonly TipLine[] }) {
  return (
    <>
      <div className={classes.tipTitle}>{title}</div>
      {lines.map(({ name, value, colour }) => (
        <div key={name} className={classes.tipRow}>
          <span className={classes.tipName}>
            {colour && <span className={classes.swatch} style={{ background: colour }} />}
            {name}
          </span>
          <span>{value}</span>
        </div>
      ))}
    </>
  );
}
