import { describe, expect, it } from 'vitest';
import { newSigningSecret, signatureHeaders } from '../../../../src/actions/notifications/channels/sign.ts';
import { isSigned } from './signed.ts';

describe('a signature', () => {
  it('equals the example of Standard Webhooks', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const at = new Date(1_614_265_330_999);
    expect(signatureHeaders(secret, { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', at })).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is accepted by an independent implementation, for this body only', async () => {
    const secret = newSigningSecret();
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    const headers = signatureHeaders(secret, { id: 'd', body: '{"title":"Größe"}', at: new Date() });
    expect(await isSigned(secret, headers, '{"title":"Größe"}')).toBe(true);
    expect(await isSigned(secret, headers, '{"title":"Grösse"}')).toBe(false);
    expect(await isSigned(newSigningSecret(), headers, '{"title":"Größe"}')).toBe(false);
  });
});
