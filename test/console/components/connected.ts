import { screen, within } from '@testing-library/dom';
import { press } from './console.ts';

/** Chooses an act of the account that is open. */
export async function manage(act: string): Promise<void> {
  await press(await screen.findByRole('button', { name: 'Manage' }), 'Enter');
  await press(await screen.findByRole('menuitem', { name: act }), 'Enter');
}

/** Waits until the sync of the account has one of these states. */
export async function syncStands(status: string): Promise<void> {
  const region = await screen.findByRole('region', { name: 'Sync' });
  await within(region).findByText(status, {}, { timeout: 60_000 });
}
