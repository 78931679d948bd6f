import { assert, constantFrom, integer, property, record, uniqueArray, array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Confidence, Detector } from '../../../../src/analysis/recommendations/detectors/detector.ts';
import { amountOf, numberOf } from '../../../../src/analysis/recommendations/detectors/figures.ts';
import { recommend, isIgnored } from '../../../../src/analysis/recommendations/evaluation/recommend.ts';
import { sh } from '../../../../src/analysis/recommendations/detectors/script.ts';
import { monthlyCost, type Subject } from '../../../../src/analysis/recommendations/detectors/subject.ts';
import { aContext, aSubject, window } from '../subject.ts';

interface Claim {
  readonly type: string;
  /** Indexes into the subject's usage. */
  readonly on: readonly number[];
  /** Monthly saving on each usage. */
  readonly amount: string;
  readonly confidence?: Confidence;
  readonly scripts?: (subject: Subject) => string;
}

/** A detector that claims a fixed saving on the given usages of any subject. */
const claiming = ({ type, on, amount, confidence = 'high', scripts }: Claim): Detector => ({
  type,
  summary: type,
  provider: null,
  about: 'resource',
  detect: (subject) => ({
    title: `${type} ${subject.name}`,
    description: '',
    savings: on
      .flatMap((place) => subject.usage.slice(place, place + 1))
      .map((usage) => ({ usage, amount: amountOf(amount) })),
    confidence,
    method: 'observed',
    evidence: { seen: true },
    scripts: () => (scripts ? [{ kind: 'aws_cli', title: '', script: scripts(subject), reversible: false }] : []),
  }),
});

const subject = aSubject({
  usage: [
    { meter: 'A', cost: '30' },
    { meter: 'B', cost: '60' },
    { meter: 'C', cost: '90' },
  ],
});
const by = (claims: readonly Claim[], about = subject) => recommend(about, claims.map(claiming), aContext());
const kept = (claims: readonly Claim[], about = subject) =>
  by(claims, about).drafts.map(({ type, saving }) => [type, numberOf(saving)]);

describe('recommend', () => {
  it('gives charges claimed twice to the larger saving, and lists the other as its alternative', () => {
    const { drafts, withheld } = by([
      { type: 'small', on: [0, 1], amount: '5' },
      { type: 'large', on: [1], amount: '20' },
      { type: 'apart', on: [2], amount: '2' },
    ]);
    expect(drafts.map(({ type }) => type)).toEqual(['large', 'apart']);
    expect(drafts[0]?.evidence).toMatchObject({
      seen: true,
      window_start: '2026-10-20',
      window_end: '2026-11-18',
      charges: [{ meter: 'B', monthly_cost: 60.875, monthly_savings: 20 }],
      alternatives: [{ type: 'small', estimated_monthly_savings: 10 }],
    });
    expect(withheld).toEqual([
      {
        fingerprint: 'small:resource:1',
        reason: 'Another recommendation for the same charges saves more or is more certain: large.',
      },
    ]);
  });

  it('prefers higher confidence for equal savings, then the name', () => {
    const same = { on: [0], amount: '5' };
    expect(
      kept([
        { ...same, type: 'a', confidence: 'low' },
        { ...same, type: 'b' },
      ]),
    ).toEqual([['b', 5]]);
    expect(
      kept([
        { ...same, type: 'b' },
        { ...same, type: 'a' },
      ]),
    ).toEqual([['a', 5]]);
  });

  it('limits the saving on a usage to its cost', () => {
    expect(kept([{ type: 'greedy', on: [0], amount: '500' }])).toEqual([['greedy', 30.4375]]);
    const free = aSubject({ usage: [{ cost: '0' }] });
    expect(kept([{ type: 'greedy', on: [0], amount: '500' }], free)).toEqual([]);
  });

  it('requires a saving of at least 1 per month', () => {
    expect(kept([{ type: 'a', on: [0], amount: '0.999999' }])).toEqual([]);
    expect(kept([{ type: 'a', on: [0], amount: '1' }])).toEqual([['a', 1]]);
  });

  it('skips subjects that are deleted, too young, or tagged to be ignored', () => {
    const one: readonly Claim[] = [{ type: 'a', on: [0], amount: '5' }];
    expect(kept(one, { ...subject, isGone: true })).toEqual([]);
    expect(kept(one, { ...subject, firstSeen: '2026-11-13' })).toEqual([]);
    expect(kept(one, { ...subject, firstSeen: '2026-11-12' })).toEqual([['a', 5]]);
    for (const key of ['FinOps:Ignore', 'user:finops:ignore', 'ASR-ReplicaDisk']) {
      const tags = { [key]: 'yes' };
      expect(kept(one, { ...subject, tags })).toEqual([]);
    }
    expect(kept(one, { ...subject, tags: { 'finops:ignore': 'False' } })).toEqual([['a', 5]]);
  });

  it('shows instructions when a name cannot be quoted', () => {
    const scripts = ({ name }: Subject) => sh`gcloud compute disks delete ${name}`;
    const claim: Claim = { type: 'a', on: [0], amount: '5', scripts };
    expect(by([claim]).drafts[0]?.scripts).toHaveLength(1);
    expect(by([claim], { ...subject, name: '--quiet' }).drafts[0]?.scripts).toMatchObject([
      { title: 'Show the facts and what to do', script: expect.not.stringContaining('quiet') },
    ]);
  });

  it('never claims a usage twice, nor more than the cost of the subject', () => {
    const claim = record({
      on: uniqueArray(integer({ min: 0, max: 2 }), { minLength: 1 }),
      amount: integer({ min: 0, max: 120 }).map(String),
      confidence: constantFrom<Confidence[]>('low', 'medium', 'high'),
    });
    assert(
      property(array(claim, { maxLength: 8 }), (claims) => {
        const { drafts, withheld } = by(claims.map((each, index) => ({ ...each, type: `d${index}` })));
        const meters = drafts.flatMap(({ evidence }) =>
          (evidence['charges'] as { meter: string }[]).map(({ meter }) => meter),
        );
        expect(new Set(meters).size).toBe(meters.length);
        const saved = drafts.reduce((sum, { saving }) => sum + saving, 0n);
        expect(saved <= monthlyCost(subject.usage, window)).toBe(true);
        const zero = claims.filter(({ amount }) => amount === '0').length;
        expect(drafts.length + withheld.length).toBe(claims.length - zero);
      }),
    );
  });
});

describe('isIgnored', () => {
  it('follows the ignore tag in any case, unless its value is false', () => {
    const ignored = (tags: Record<string, string>) => isIgnored(aSubject({ tags }));
    expect(ignored({ 'FinOps:Ignore': '' })).toBe(true);
    expect(ignored({ 'finops-ignore': 'yes' })).toBe(true);
    expect(ignored({ 'finops:ignore': ' False ' })).toBe(false);
    expect(ignored({ 'ASR-ReplicaDisk': '1' })).toBe(true);
    expect(ignored({})).toBe(false);
  });
});
