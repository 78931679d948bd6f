import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { field, fill, follow, openDialog, settled, signIn, useConsole, user } from './console.ts';
import { demoApi } from './world.ts';

/** Selects an option of a field that takes no text. */
async function pick(input: HTMLElement, name: RegExp): Promise<void> {
  await user.click(input);
  await waitFor(() => expect(document.getElementById(input.getAttribute('aria-controls') ?? '')).not.toBeNull());
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '') ?? input;
  await user.click(await within(list).findByRole('option', { name, hidden: true }));
}

describe('showback schedules', () => {
  useConsole();
  const api = demoApi();

  it('warn about a value without costs, and name it', async () => {
    await signIn(api());
    await follow('/reports/schedules');
    await user.click(screen.getByRole('button', { name: 'New schedule' }));
    const dialog = await openDialog();
    await pick(field('Type', dialog), /^Showback/);
    await pick(field('Virtual tag', dialog), /^Team/);
    await settled();
    await user.click(within(dialog).getByRole('button', { name: 'Add a value' }));
    const value = () => within(dialog).getByRole<HTMLInputElement>('combobox', { name: /^Value( \*)?$/ });
    const known = value().value;
    expect(known).not.toBe('');
    expect(within(dialog).queryByText(/no direct costs/)).toBeNull();
    await fill(value(), 'nosuch');
    expect(within(dialog).getByText(/^“nosuch” has no direct costs in the last 12 months/)).toBeDefined();
    expect(value().getAttribute('aria-invalid')).not.toBe('true');
    await fill(value(), known);
    expect(within(dialog).queryByText(/no direct costs/)).toBeNull();
    expect(field('Name', dialog).value).toBe('');
  }, 60_000);
});
