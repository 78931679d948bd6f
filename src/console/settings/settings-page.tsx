import type { ReactNode } from 'react';
import { Page } from '../parts/page.tsx';
import { SettingsNav } from './settings-nav.tsx';
import classes from './settings.module.css';

interface Props {
  readonly title: string;
  /** One line below the title. */
  readonly lead?: ReactNode;
  /** Buttons on the right. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the settings, beside the way to the others. */
export function SettingsPage(props: Props) {
  return (
    <div className={classes.settings}>
      <SettingsNav />
      <div className={classes.content}>
        <Page {...props} />
      </div>
    </div>
  );
}
