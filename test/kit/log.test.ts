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

  it('writes one line per entry, whatever a text contains', () => {
    const forged = 'x\n{"level":30,"msg":"login of admin"}\r\u2028\u001b[31m';
    const text = written((log) => log.info({ path: forged, err: new Error(forged) }, forged));
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({ msg: forged, path: forged });
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
