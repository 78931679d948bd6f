import { readFileSync } from 'node:fs';
import spectralCore from '@stoplight/spectral-core';
import { expect, it } from 'vitest';
import { accepted, ruleset, type Exception } from './ruleset.ts';

const text = readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8');
const document: unknown = JSON.parse(text);

interface Finding {
  readonly rule: string;
  /** The path with parameters by name, so that it is stable when others are added. */
  readonly at: string;
  readonly message: string;
  /** The value at the path. */
  readonly value: unknown;
}

it(
  "finds only accepted violations of Spectral's OpenAPI and OWASP rules in the OpenAPI document",
  { timeout: 240_000 },
  async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset(ruleset);
    const results = await spectral.run(text);
    const findings = results.map(({ code, path, message }) => ({ rule: String(code), ...placeOf(path), message }));
    const used = new Set<Exception>();
    const isAccepted = (finding: Finding) => {
      const exception = accepted.find((each) => covers(each, finding));
      if (exception) used.add(exception);
      return exception !== undefined;
    };
    expect(findings.filter((finding) => !isAccepted(finding))).toEqual([]);
    expect(accepted.filter((exception) => !used.has(exception))).toEqual([]);
  },
);

function covers({ rule, at, of }: Exception, finding: Finding): boolean {
  return rule.test(finding.rule) && at.test(finding.at) && (of === undefined || of(Object(finding.value)));
}

function placeOf(path: readonly (string | number)[]): Pick<Finding, 'at' | 'value'> {
  let value = document;
  const names = path.map((key) => {
    const isListed = Array.isArray(value);
    value = followed(Object(value)[key]);
    const name: unknown = isListed ? Object(value).name : undefined;
    return typeof name === 'string' ? name : String(key);
  });
  return { at: names.join('.'), value };
}

function followed(value: unknown): unknown {
  const reference: unknown = Object(value).$ref;
  if (typeof reference !== 'string') return value;
  const keys = reference.slice(2).split('/');
  return followed(keys.reduce<unknown>((at, key) => Object(at)[key], document));
}
