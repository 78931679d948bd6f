import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openLog } from '../../src/kit/log.ts';

/** The output of one log call. */
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
  it('redacts secrets down to the third level', () => {
    const text = written((log) =>
      log.info(
        { password: 'hunter2', user: { token: 'hunter2' }, request: { headers: { authorization: 'hunter2' } } },
        'x',
      ),
    );
    expect(text).not.toContain('hunter2');
    expect(text.match(/\[secret\]/g)).toHaveLength(3);
  });

  it('logs the message, code and cause of an error, and none of its other properties', () => {
    const error = Object.assign(new Error('outer', { cause: new Error('inner') }), {
      code: '57P01',
      client: { host: 'hunter2' },
    });
    const { err } = JSON.parse(written((log) => log.info({ err: error }, 'x')));
    expect(err).toMatchObject({ type: 'Error', message: 'outer', code: '57P01', cause: { message: 'inner' } });
    expect(Object.keys(err).toSorted()).toEqual(['cause', 'code', 'message', 'stack', 'type']);
  });
});
