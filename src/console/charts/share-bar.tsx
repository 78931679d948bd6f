import classes from './chart.module.css';

interface Props {
  /** What is divided, with its figures: it is what those who do not see it are told. */
  readonly label: string;
  readonly parts: readonly { readonly key: string; readonly value: number; readonly colour: string }[];
}

/** Shares of a whole, as lengths. */
export function ShareBar({ label, parts }: Props) {
  return (
    <div className={classes.share} role="img" aria-label={label}>
      {parts
        .filter(({ value }) => value > 0)
        .map(({ key, value, colour }) => (
          <span key={key} style={{ flexGrow: value, flexBasis: 0, minWidth: 2, background: colour }} />
        ))}
    </div>
  );
}
