import { type MouseEvent, useState } from 'react';
import classes from './shell.module.css';

/** Links past the navigation, each shown while it has the focus. The link to the table is present if the page has one. */
export function SkipLinks() {
  const [hasTable, setHasTable] = useState(false);
  // Checked again before the next key moves the focus, because the table may have arrived since.
  const look = () => setHasTable(firstOfTable() !== null);
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    firstOfTable()?.focus();
  };
  return (
    <div onFocus={look} onKeyDown={look}>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      {hasTable && (
        <a href="#main" className={classes.skip} onClick={skip}>
          Skip to table
        </a>
      )}
    </div>
  );
}

/** First link or, without one, first control in the rows of the page's first table; else the table's scroll container. */
function firstOfTable(): HTMLElement | null {
  const table = document.querySelector('#main table');
  const find = (selector: string) => table?.querySelector<HTMLElement>(selector);
  return find('tbody a') ?? find('tbody :is(button, input)') ?? table?.closest<HTMLElement>('[tabindex="0"]') ?? null;
}
