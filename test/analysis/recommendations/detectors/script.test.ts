import { describe, expect, it } from 'vitest';
import { hcl, sh, Unquotable } from '../../../../src/analysis/recommendations/detectors/script.ts';
import { runInShell } from '../shell.ts';

describe('sh', () => {
  it.each(['a b', "it's", '"$HOME"', '$(pwned)', '`pwned`', 'a\nb', '\\', '*', '~', '', 'ünï', '--yes'])(
    'passes %j as one argument',
    async (value) => {
      const { calls } = await runInShell(sh`aws --name=${value} end`);
      expect(calls).toEqual([['aws', `--name=${value}`, 'end']]);
    },
  );

  it('rejects values that look like an option, and NUL characters', () => {
    expect(() => sh`gcloud delete ${'--quiet'}`).toThrow(Unquotable);
    expect(() => sh`gcloud --name=${'a\0b'}`).toThrow(Unquotable);
  });

  it.each(['@/etc/passwd', 'file:///etc/passwd', 'fileb://key', 'https://example.com/x', 'FILE://x'])(
    'rejects %j, which a client would read as a file or URL',
    (value) => {
      expect(() => sh`aws logs --log-group-name=${value}`).toThrow(Unquotable);
    },
  );

  it('accepts such a text within a value', () => {
    expect(sh`az --name=${'a@b'} --ids=${'/x/file://'}`).toBe("az --name='a@b' --ids='/x/file://'");
  });
});

describe('hcl', () => {
  it('writes texts as quoted strings without templates, and numbers unquoted', () => {
    expect(hcl`a = ${'"x" \\ ${y} %{z}\n\t\u0001'}, b = ${3000}`).toBe(
      'a = "\\"x\\" \\\\ $${y} %%{z}\\n\\t\\u0001", b = 3000',
    );
  });
});
