import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { OwnMoney, type OwnAmounts } from '../../../src/console/parts/list/own-money.tsx';

/** The lines of an amount. */
function linesOf(row: OwnAmounts<'cost'>): string[] {
  const shown = createElement(OwnMoney<'cost'>, { row, name: 'cost' });
  const markup = renderToStaticMarkup(createElement(MantineProvider, null, shown)).replaceAll(
    /<style.*?<\/style>/gs,
    '',
  );
  return [...markup.matchAll(/>([^<]+)</g)].map(([, text = '']) => text);
}

const dollars = { currency: 'USD', cost: 2000 };
const euros = [{ currency: 'EUR', cost: 800 }];

it.each<[string, OwnAmounts<'cost'>, string[]]>([
  ['in the organization’s currency', { ...dollars, converted: dollars, otherCosts: [] }, ['$2,000.00']],
  ['in another currency', { ...dollars, converted: { currency: 'JPY', cost: 5 } }, ['¥5', '$2,000.00']],
  ['without a rate', { ...dollars, converted: null }, ['$2,000.00']],
  [
    'in two currencies',
    { ...dollars, otherCosts: euros, converted: { currency: 'USD', cost: 3600 } },
    ['$3,600.00', '$2,000.00 + €800.00'],
  ],
  ['in two currencies without a rate', { ...dollars, otherCosts: euros, converted: null }, ['$2,000.00 + €800.00']],
])('shows an amount %s', (_, row, lines) => {
  expect(linesOf(row)).toEqual(lines);
});
