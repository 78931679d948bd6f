import { describe, expect, it } from 'vitest';
import {
  factorChangedLetter,
  invitationLetter,
  passwordChangedLetter,
  passwordResetLetter,
} from '../../../src/tenancy/mail/letters.ts';

const settings = { publicUrl: 'https://costs.example.com' };
const expiresAt = new Date('2026-11-28T10:00:00.000Z');

const invitation = {
  to: 'bo@example.com',
  organizationName: 'Plum & Sons',
  inviterName: 'Ana',
  role: 'member',
  token: 'a+b/c',
  expiresAt,
} as const;

const hostile = '<img src=x onerror="alert(1)"> at https://evil.example/login';

describe('the invitation mail', () => {
  it('renders as text', () => {
    expect(invitationLetter(settings, invitation).text).toBe(`Join Plum & Sons on Costkeep

Ana invites you to Plum & Sons on Costkeep, as a Member.

Costkeep shows what your clouds cost and where you can save, and alerts
you to unexpected spend.

Accept the invitation:
https://costs.example.com/invite?token=a%2Bb%2Fc

The link is only for bo@example.com, and works until November 28, 2026,
10:00 UTC.

-- 
Costkeep, https://costs.example.com
You received this email because you were invited. If you did not expect
it, you can ignore it.
`);
  });

  it('renders as HTML', () => {
    const { html, subject, goodUntil } = invitationLetter(settings, invitation);
    expect(subject).toBe('Join Plum & Sons on Costkeep');
    expect(html).toContain('Ana invites you to Plum &amp; Sons on Costkeep, as a Member.');
    expect(html).toContain('<a href="https://costs.example.com/invite?token=a%2Bb%2Fc"');
    expect(goodUntil).toBe(expiresAt);
  });

  it('works without an inviter', () => {
    expect(invitationLetter(settings, { ...invitation, inviterName: null }).text).toContain('You are invited to Plum');
  });

  it('neutralizes markup and links in names', () => {
    const names = { inviterName: hostile, organizationName: hostile };
    const { html, text, subject } = invitationLetter(settings, { ...invitation, ...names });
    expect(subject).toBe(`Join ${hostile} on Costkeep`);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
    const [, body = ''] = html?.split('</head>') ?? [];
    expect(body + text).not.toMatch(/https:\/\/evil|evil\.example/);
  });
});

describe('the password reset mail', () => {
  const reset = passwordResetLetter(settings, { to: 'ana@example.com', name: 'Ana', token: 'abc', expiresAt });

  it('links to the page for the new password', () => {
    const url = 'https://costs.example.com/reset-password?token=abc';
    expect(reset.text).toContain(`Choose a password:\n${url}\n`);
    expect(reset.html).toContain(`href="${url}"`);
    expect(reset.goodUntil).toBe(expiresAt);
  });

  it('states the expiry, and what to do if it was not requested', () => {
    expect(reset.text).toContain('works once, until November 28, 2026, 10:00 UTC');
    expect(reset.text).toContain('ignore this email; your password stays');
  });
});

describe('the mail about a changed password', () => {
  const change = { to: 'ana@example.com', name: 'Ana', at: expiresAt, ipAddress: '203.0.113.7' };

  it('states time and IP address, and has no token', () => {
    const { text, html } = passwordChangedLetter(settings, { ...change, isReset: false });
    expect(text.replaceAll('\n', ' ')).toContain(
      'was changed on November 28, 2026, 10:00 UTC, from the IP address 203.0.113.7. All other sessions were ended.',
    );
    expect(html).not.toContain('token');
  });

  it('states after a reset that every session was ended', () => {
    const { text } = passwordChangedLetter(settings, { ...change, isReset: true });
    expect(text.replaceAll('\n', ' ')).toContain('You have been signed out everywhere: sign in again.');
  });
});

describe('the mail about a changed second factor', () => {
  it('states the change, time and IP address, and contains no markup from names', () => {
    const { text, html } = factorChangedLetter(settings, {
      to: 'ana@example.com',
      name: '<b>Ana</b>',
      at: expiresAt,
      ipAddress: '203.0.113.7',
      action: 'passkey_added',
    });
    expect(text.replaceAll('\n', ' ')).toContain(
      'A passkey was added to your Costkeep account on November 28, 2026, 10:00 UTC, from the IP address 203.0.113.7.',
    );
    expect(html).not.toContain('<b>Ana');
  });
});
