import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openLog } from '../../src/kit/log.ts';

/** What one call writes. */
function written(write: (log: ReturnType<typeof openLog>) => void): string {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  write(openLog('info', stream));
  return text;
}

describe('openLog', () => {
  test('cuts secrets out down to the third level', () => {
    const text = written((log) =>
      log.info(
        { password: 'hunter2', user: { token: 'hunter2' }, request: { headers: { authorization: 'hunter2' } } },
        'x',
      ),
    );
    expect(text).not.toContain('hunter2');
    expect(text.match(/\[secret\]/g)).toHaveLength(3);
  });

  test('tells what an error says, its code and its cause, and nothing else it carries', () => {
    const error = Object.assign(new Error('outer', { cause: new Error('inner') }), {
      code: '57P01',
      client: { host: 'hunter2' },
    });
    const { err } = JSON.parse(written((log) => log.info({ err: error }, 'x')));
    expect(err).toMatchObject({ type: 'Error', message: 'outer', code: '57P01', cause: { message: 'inner' } });
    expect(Object.keys(err).toSorted()).toEqual(['cause', 'code', 'message', 'stack', 'type']);
  });
});
