import { within } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { follow, main, signIn, useConsole } from './console.ts';
import { newOrganizationApi } from './world.ts';

describe('an empty list', () => {
  const api = newOrganizationApi();
  useConsole();

  it('offers to create its first record, also for schedules', async () => {
    await signIn(api());
    await follow('/reports/schedules');
    const card = main().getByText('No schedules yet').closest('section');
    expect(card && within(card).getByRole('button', { name: 'New schedule' })).toBeTruthy();
  });
});
