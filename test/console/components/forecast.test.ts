import { screen, waitFor } from '@testing-library/dom';
import { beforeAll, describe, expect, it } from 'vitest';
import { follow, holdQuery, mainText, settled, signIn, useConsole } from './console.ts';
import { demoApi } from './world.ts';

const unknown = /Not known yet|Not included in the forecast/;

describe('the forecast page', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  it.each([
    ['ForecastAccuracy(', '/forecast?model=linear'],
    ['CostsDaily(', '/forecast?provider=aws'],
  ])(
    'shows no unknown figures while %s is loading',
    async (query, path) => {
      const release = holdQuery(query);
      const opened = follow(path);
      await screen.findByText('Average monthly error');
      await waitFor(() => expect(screen.getAllByRole('status', { name: 'Loading' }).length).toBeGreaterThan(0));
      expect(mainText()).not.toMatch(unknown);
      release();
      await opened;
      await settled();
      expect(screen.queryAllByRole('status', { name: 'Loading' })).toEqual([]);
      await follow('/settings');
    },
    60_000,
  );
});
