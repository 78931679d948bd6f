import { describe, expect, it } from 'vitest';
import { readKeys } from '../../../src/console/costs/question.ts';
import { unknownIn, type Reads } from '../../../src/console/parts/page/unknown-names.tsx';
import { fixedState } from '../../../src/console/parts/views/address.ts';

/** The unknown parameters of a query, with what replaces them. */
function unknown(query: string, reads: Reads) {
  const params = new URLSearchParams(query);
  const state = fixedState(Object.fromEntries([...params.keys()].map((key) => [key, params.getAll(key)])));
  return unknownIn(state, reads).map(({ given, instead }) => [given, instead]);
}

describe('the parameters that a page ignores', () => {
  it.each([
    ['tag=team:storefront', 'tag:team=storefront'],
    ['exclude_tag=team:storefront', 'exclude_tag:team=storefront'],
    ['virtual=team:web', 'virtual:team=web'],
    [String.raw`tag=aws\:name:a`, 'tag:aws:name=a'],
    ['preset=last_month', 'days=last_month'],
    ['start_date=2026-10-03', 'from=2026-10-03'],
    ['group_by=region', 'group=region'],
    ['account_id=1', 'account=1'],
    ['include_shared=true', 'shared=true'],
    ['color=red', null],
    ['tag=team', null],
    ['tag:=a', null],
  ])('of /costs include %s, which is %s', (given, instead) => {
    expect(unknown(`from=2026-10-03&to=2026-11-07&metric=billed&${given}`, readKeys)).toEqual([[given, instead]]);
  });

  it('of other pages have a replacement only among the keys that the page reads', () => {
    expect(unknown('tag=team:a&start_date=2026-10-03&min_savings=5', ['minSavings'])).toEqual([
      ['tag=team:a', null],
      ['start_date=2026-10-03', null],
      ['min_savings=5', 'minSavings=5'],
    ]);
  });

  it.each([
    'from=2026-10-03&to=2026-11-07&group=service&group=tag:team&tag:team=a&exclude_virtual:team=b&exclude_sku=c',
    'drill=true&path=service&find=a&day=2026-11-03&hidden=a&chart=line&compare=none&shared=true&incomplete=true',
    'days=last_month&saved=1&sort=-cost&tagKey=team&tagValue=a&subAccount=1&category=Tax&untagged=true',
    'utm_source=mail&utm_campaign=a&gclid=1&fbclid=2&msclkid=3&color=',
  ])('of /costs do not include those of %s', (query) => {
    expect(unknown(query, readKeys)).toEqual([]);
  });
});
