import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFocusFolder } from '../../../src/providers/focus/folder.ts';

const signal = new AbortController().signal;
let base = '';
let root = '';

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'costkeep-focus-'));
  root = path.join(base, 'root');
  await put('root/bills/a.csv');
  await put('outside/secret.csv');
});
afterEach(() => rm(base, { recursive: true }));

async function put(name: string, content = 'x'): Promise<void> {
  await mkdir(path.dirname(path.join(base, name)), { recursive: true });
  await writeFile(path.join(base, name), content);
}

async function keysOf(given: string, under = root): Promise<string[]> {
  const source = await openFocusFolder(under, given);
  return (await source.list(null, signal)).files.map((file) => file.key);
}

const refused = (message: RegExp): object => ({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) });

describe('path', () => {
  it.each([
    ['', /is empty/],
    ['/etc', /is absolute/],
    ['C:\\bills', /is absolute/],
    ['../outside', /contains "\.\."/],
    ['bills/../../outside', /contains "\.\."/],
    ['bills\\..\\..\\outside', /contains "\.\."/],
    ['bills\0', /NUL/],
    ['nowhere', /"nowhere" does not exist under FOCUS_ROOT/],
    ['bills/a.csv/b', /does not exist/],
  ])('is rejected: %j', async (given, message) => {
    await expect(openFocusFolder(root, given)).rejects.toMatchObject(refused(message));
  });

  it('is rejected without FOCUS_ROOT, with a hint to set it', async () => {
    await expect(openFocusFolder(null, 'bills')).rejects.toMatchObject(refused(/start the server with FOCUS_ROOT set/));
    await expect(openFocusFolder(path.join(base, 'gone'), 'bills')).rejects.toMatchObject(
      refused(/The folder in FOCUS_ROOT does not exist/),
    );
  });

  it('may be a folder, a single file or the root', async () => {
    expect(await keysOf('./bills/')).toEqual(['a.csv']);
    expect(await keysOf('bills/a.csv')).toEqual(['a.csv']);
    expect(await keysOf('.')).toEqual(['bills/a.csv']);
  });
});

describe('symbolic link', () => {
  it('is rejected if it leaves the root', async () => {
    await symlink(path.join(base, 'outside'), path.join(root, 'way-out'));
    await expect(openFocusFolder(root, 'way-out')).rejects.toMatchObject(refused(/leaves FOCUS_ROOT/));
    await symlink(path.join(base, 'outside/secret.csv'), path.join(root, 'bills/b.csv'));
    await expect(keysOf('bills')).rejects.toMatchObject(refused(/"b\.csv" is a symbolic link that leaves FOCUS_ROOT/));
  });

  it('is followed within the root, but never lists a file twice or loops', async () => {
    await put('root/archive/old.csv');
    await symlink(path.join(root, 'archive'), path.join(root, 'bills/old'));
    await symlink('a.csv', path.join(root, 'bills/latest.csv'));
    await symlink('.', path.join(root, 'bills/self'));
    expect(await keysOf('bills')).toEqual(['a.csv', 'old/old.csv']);
  });
});

describe('folder', () => {
  it('ignores hidden files and other extensions, and names the expected ones if no file is left', async () => {
    await put('root/none/readme.txt');
    await put('root/none/.a.csv');
    await put('root/none/.git/b.csv');
    await expect(keysOf('none')).rejects.toMatchObject(
      refused(/"none" contains no bills: .*\.csv, \.tsv or .* or \.zip/),
    );
    await expect(openFocusFolder(root, 'none/readme.txt')).rejects.toMatchObject(refused(/must end with/));
  });

  it('rejects a pipe with the name of a bill', async () => {
    execFileSync('mkfifo', [path.join(root, 'bills/p.csv')]);
    await expect(keysOf('bills')).rejects.toMatchObject(refused(/"p\.csv" is not a regular file/));
  });

  it('rejects a file that changed or disappeared since it was listed', async () => {
    const source = await openFocusFolder(root, 'bills');
    const [file] = (await source.list(null, signal)).files;
    if (!file) throw new Error('nothing listed');
    expect(await source.fetch(file, base, signal)).toMatch(/root\/bills\/a\.csv$/);
    await put('root/bills/a.csv', 'xy');
    await expect(source.verify?.(file)).rejects.toMatchObject(refused(/"a\.csv" changed while/));
    await rm(path.join(root, 'bills/a.csv'));
    await expect(source.fetch(file, base, signal)).rejects.toMatchObject(refused(/does not exist/));
  });

  it('stops on abort', async () => {
    const source = await openFocusFolder(root, 'bills');
    await expect(source.list(null, AbortSignal.abort())).rejects.toThrow(/aborted/);
  });
});

const shared = path.resolve('../shared/data/costroid/testdata');

describe.skipIf(!existsSync(shared))('published export trees', () => {
  it.each([
    [
      'aws-focus-s3/fixture',
      [
        '2026-05 costroid-demo-00001.csv.gz',
        '2026-05 costroid-demo-00002.csv.gz',
        '2026-06 costroid-demo-00001.csv.gz',
      ],
    ],
    ['aws-focus-s3/restated', ['2026-06 costroid-demo-00001.csv.gz']],
    ['aws-focus-s3/corrections', ['2026-07 costroid-demo-00001.csv.gz']],
    ['azure-focus/fixture', ['2026-06 part_0_0001.csv.gz', '2026-05 part_0_0001.csv.gz', '2026-05 part_1_0001.csv.gz']],
    ['azure-focus/restated', ['2026-05 part_0_0001.csv.gz', '2026-05 part_1_0001.csv.gz']],
  ])('are read from %s', async (folder, expected) => {
    const source = await openFocusFolder(shared, folder);
    const { files } = await source.list(null, signal);
    expect(files.map((file) => `${file.month} ${path.basename(file.key)}`)).toEqual(expected);
  });

  it('replace a month with its restatement when both trees are side by side', async () => {
    const source = await openFocusFolder(shared, 'azure-focus');
    const { files } = await source.list(null, signal);
    expect(files.map((file) => [file.key.split('/')[0], file.month, file.expectedRows])).toEqual([
      ['fixture', '2026-06', 5],
      ['restated', '2026-05', 3],
      ['restated', '2026-05', 2],
    ]);
  });
});

describe('a name that is not UTF-8', () => {
  const latin1 = (name: string) => Buffer.concat([Buffer.from(`${root}/bills/`), Buffer.from(name, 'latin1')]);

  it('is listed as unreadable, and the other files are read', async () => {
    await writeFile(latin1('gr\u00f6sse.csv'), 'x');
    await mkdir(latin1('f\u00fcr'));
    await put('root/bills/\u{fffd}.csv');
    const { files, unreadable, warnings } = await (await openFocusFolder(root, 'bills')).list(null, signal);
    expect(files.map(({ key }) => key)).toEqual(['a.csv', '\u{fffd}.csv']);
    expect(unreadable).toEqual(['f\u{fffd}r', 'gr\u{fffd}sse.csv']);
    expect(warnings).toEqual([
      '2 files were not read (name not in UTF-8; rename the file or folder): f\u{fffd}r, gr\u{fffd}sse.csv',
    ]);
  });

  it('is named in the error if there are no other bills', async () => {
    await rm(path.join(root, 'bills/a.csv'));
    await writeFile(latin1('gr\u00f6sse.csv'), 'x');
    const source = await openFocusFolder(root, 'bills');
    await expect(source.list(null, signal)).rejects.toMatchObject(
      refused(/contains no bills.* 1 file was not read \(name not in UTF-8/),
    );
  });
});
