import { describe, expect, it } from 'vitest';
import { detectors } from '../../../../src/analysis/recommendations/detectors/all.ts';
import type { Detector } from '../../../../src/analysis/recommendations/detectors/detector.ts';
import { Unquotable, type Script } from '../../../../src/analysis/recommendations/detectors/script.ts';
import type { Subject } from '../../../../src/analysis/recommendations/detectors/subject.ts';
import { runEachInShell, runInShell } from '../shell.ts';
import { aSubject, find, type Case } from '../subject.ts';
import { anyCases } from './commitment-cases.ts';
import { awsCases } from './aws/cases.ts';
import { azureCases } from './azure/cases.ts';
import { gcpCases } from './gcp/cases.ts';

const cases: Readonly<Record<string, Case>> = { ...awsCases, ...azureCases, ...gcpCases, ...anyCases };

const hostile = [
  '; touch pwned; rm -rf .',
  "'; touch pwned; '",
  '"; touch pwned; "',
  '$(touch pwned)',
  '`touch pwned`',
  '\ntouch pwned\n',
  '${IFS}&& pwned || pwned | pwned > pwned',
  '%{ for x in y }${file("passwd")}"\n}\u2028ünï\u202e',
  "\\'; pwned #",
];

/** The subject with attacker-controlled names. */
function renamed(subject: Subject, text: string): Subject {
  return {
    ...subject,
    nativeId: `${subject.nativeId}${text}`,
    name: text,
    region: text,
    subAccount: text,
    tags: Object.fromEntries(Object.entries(subject.tags).map(([key, value]) => [key, `${value} ${text}`])),
    metadata: renamedMetadata(subject.metadata, text),
  };
}

function renamedMetadata(metadata: Subject['metadata'], text: string): Subject['metadata'] {
  const { attachedTo, scalingGroup, imageIds } = metadata;
  return {
    ...metadata,
    ...(attachedTo && { attachedTo: `${attachedTo}${text}` }),
    ...(scalingGroup && { scalingGroup: `${scalingGroup}${text}` }),
    ...(imageIds && { imageIds: imageIds.map((id) => `${id}${text}`) }),
  };
}

/** The subject with the last part of its id replaced. */
function retailed(subject: Subject, text: string): Subject {
  const nativeId = subject.nativeId.replace(/[^/:]+$/, () => text);
  return { ...subject, nativeId, name: text, region: text, subAccount: text };
}

/** Terraform with its strings removed; throws on an open string or a template within one. */
function skeletonOf(terraform: string): string {
  return terraform.replaceAll(/"((?:[^"\\\n]|\\.)*)("|\n|$)/g, (_, text: string, end: string) => {
    if (end !== '"') throw new Error(`An open text: ${text}`);
    if (/[$%]\{/.test(text.replaceAll('$${', '').replaceAll('%%{', ''))) throw new Error(`A template: ${text}`);
    return '""';
  });
}

/** The scripts, or none if the subject's names cannot be quoted. */
function scriptsOf(detector: Detector, each: Case): readonly Script[] {
  try {
    return find(detector, each)?.scripts() ?? [];
  } catch (error) {
    if (error instanceof Unquotable) return [];
    throw error;
  }
}

describe.each(detectors.map((detector) => ({ detector, type: detector.type })))('$type', ({ detector, type }) => {
  const each = cases[type] ?? { subject: aSubject() };

  it('finds a saving in its case, with title and description', () => {
    expect(Object.keys(cases), `add a case of ${type} to the cases.ts of its provider, beside this file`).toContain(
      type,
    );
    const finding = find(detector, each);
    expect(finding?.saving).toBeGreaterThan(0);
    expect(finding?.description.length).toBeGreaterThan(40);
    expect(finding?.title).toContain(each.subject.name);
  });

  it('finds nothing for a subject without data', () => {
    const { about, provider } = each.subject;
    expect(find(detector, { subject: aSubject({ about, provider, isListed: false }) })).toBeNull();
  });

  it('writes scripts that quote hostile names', async () => {
    const scripts = find(detector, each)?.scripts() ?? [];
    for (const [index, { kind, script }] of scripts.entries()) {
      if (kind === 'terraform') {
        for (const text of hostile) {
          const subject = renamed(each.subject, text);
          const terraform = find(detector, { ...each, subject })?.scripts()[index]?.script ?? '';
          expect(skeletonOf(terraform)).toBe(skeletonOf(script));
        }
        continue;
      }
      const renamedScripts = hostile.map((text) => {
        const subject = renamed(each.subject, text);
        return find(detector, { ...each, subject })?.scripts()[index]?.script ?? '';
      });
      const [plain, ...ran] = await runEachInShell([script, ...renamedScripts]);
      // The same commands in the same order, with the same number of arguments each, and no file.
      const shape = (calls: readonly string[][] = []) => calls.map((call) => [call[0], call.length]);
      for (const { calls, files } of ran) {
        expect(files).toEqual([]);
        expect(shape(calls)).toEqual(shape(plain?.calls));
      }
      expect(ran).toHaveLength(hostile.length);
    }
  });
});

describe('scripts for a subject whose id looks like an option or a file', () => {
  it.each(detectors.map((detector) => [detector.type, detector] as const))('omit it: %s', async (type, detector) => {
    const each = cases[type] ?? { subject: aSubject() };
    for (const text of ['-x', '@passwd'])
      for (const { kind, script } of scriptsOf(detector, { ...each, subject: retailed(each.subject, text) })) {
        if (kind === 'terraform') continue;
        const { calls } = await runInShell(script);
        const words = calls.flat();
        expect(words).not.toContain('-x');
        expect(words.filter((word) => /^(?:--[a-z-]+=)?@/.test(word))).toEqual([]);
      }
  });
});

describe('the detectors', () => {
  it('have one case and a unique type each', () => {
    const types = detectors.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    expect(Object.keys(cases).sort()).toEqual([...types].sort());
  });
});
