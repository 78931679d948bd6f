import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { StillLoading } from '../../../src/console/accounts/loading-note.tsx';

it.each([
  [2, 3, '2 of 3 accounts are still loading.'],
  [1, 3, '1 of 3 accounts is still loading.'],
  [1, 1, '1 of 1 account is still loading.'],
])('says how many accounts are still loading: %d of %d', (loading, total, said) => {
  const note = createElement(StillLoading, { loading, total });
  const text = renderToStaticMarkup(createElement(MantineProvider, null, note)).replaceAll(/<[^>]+>/g, '');
  expect(text).toContain(said);
});

it('shows nothing once all have loaded', () => {
  const note = createElement(StillLoading, { loading: 0, total: 3 });
  expect(renderToStaticMarkup(createElement(MantineProvider, null, note))).not.toContain('loading');
});
