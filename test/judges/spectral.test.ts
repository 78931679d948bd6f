import { readFileSync } from 'node:fs';
import spectralCore from '@stoplight/spectral-core';
import { expect, it } from 'vitest';
import { accepted, ruleset } from './ruleset.ts';

const document = readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8');

it(
  'finds nothing in the OpenAPI document by Spectral’s rules for OpenAPI and OWASP, but for what is accepted',
  { timeout: 240_000 },
  async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset(ruleset);
    const results = await spectral.run(document);
    const findings = results.map(({ code, path, message }) => ({ rule: String(code), at: path.join('.'), message }));
    const isAccepted = ({ rule, at }: { rule: string; at: string }) =>
      accepted.some(([rules, places]) => rules.test(rule) && places.test(at));
    expect(findings.filter((finding) => !isAccepted(finding))).toEqual([]);
    // An exception that nothing needs any more goes.
    const unused = accepted.filter(
      ([rules, places]) => !findings.some(({ rule, at }) => rules.test(rule) && places.test(at)),
    );
    expect(unused).toEqual([]);
  },
);
