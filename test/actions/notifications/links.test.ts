import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Announcement, AnnouncementKind } from '../../../src/actions/notifications/announcement.ts';
import { webhookPayload } from '../../../src/actions/notifications/channels/payload.ts';
import { teamsMessage } from '../../../src/actions/notifications/channels/teams.ts';
import { slackMessage } from '../../../src/actions/notifications/slack.ts';
import { invitationLetter, passwordResetLetter } from '../../../src/tenancy/mail/letters.ts';
import { letterOf } from '../../../src/actions/notifications/letter.ts';
import { anomalyAlert, budgetAlert, reportReady } from './samples.ts';

// Each link in an email or chat message must lead to a console page. Links and pages are read from the sources, because
// console code does not run here.

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

/** Path patterns of the console's pages: those of `routes.tsx` and those for signed-out users. */
function pages(): string[] {
  const signedIn = [...read('src/console/routes.tsx').matchAll(/^ {2}\[\s*'([^']+)'/gm)];
  const signedOut = [...read('src/console/sign-in/signed-out.tsx').matchAll(/case '([^']+)'/g)];
  return [...signedIn, ...signedOut].map(([, pattern = '']) => pattern);
}

/** Whether an address matches a console page. */
function hasPage(at: string): boolean {
  const { pathname } = new URL(at, 'https://costs.example.com');
  return pages().some((pattern) =>
    new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+').replace('*', '.+')}$`).test(pathname),
  );
}

/** Links in the sources of messages, from `action: { label, path }`, with a value for each parameter. */
function links(): { file: string; at: string }[] {
  const files = fs.readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /^(actions|analysis|facts|ingest|tenancy)\/.*\.ts$/.test(file));
  return sources.flatMap((file) =>
    [...read(`src/${file}`).matchAll(/action: \{\s*label: [^}]*?,\s*path: (?:'([^']+)'|`([^`]+)`)/g)].map(
      ([, plain, template = '']) => ({ file, at: plain ?? template.replace(/\$\{[^}]+\}/g, 'x') }),
    ),
  );
}

/** An announcement of each kind. */
const everyKind = {
  budget_alert: budgetAlert,
  anomaly_alert: anomalyAlert,
  alert_rule: { ...budgetAlert, kind: 'alert_rule', action: { label: 'Open the rule', path: '/alert-rules/r1' } },
  report: reportReady,
} satisfies Record<AnnouncementKind, Announcement>;

/** The number of announcements in the sources. */
function announced(): number {
  const files = fs.readdirSync(path.join(root, 'src/actions'), { recursive: true, encoding: 'utf8' });
  const makers = files.filter((file) => file.endsWith('.ts') && !file.endsWith('announcement.ts'));
  const own = ['alerts/rule-announcement.ts'];
  return [...makers, ...own].flatMap((file) => read(`src/actions/${file}`).match(/\baction: \{/g) ?? []).length;
}

describe('links in notifications', () => {
  it('lead to a console page in every announcement', () => {
    const found = links();
    const paths = [...new Set(found.map(({ at }) => at))].toSorted();
    expect(paths).toEqual(['/', '/alert-rules/x', '/anomalies/x', '/budgets/x', '/reports/schedules', '/reports/x']);
    expect(found.filter(({ at }) => !hasPage(at))).toEqual([]);
    // Every announcement is covered: none builds its link in another way.
    const actions = found.filter(({ file }) => file.startsWith('actions/'));
    expect(announced()).toBe(actions.length);
  });

  it('lead to a console page in rendered emails', () => {
    const publicUrl = 'https://costs.example.com';
    const expiresAt = new Date('2026-11-28T10:00:00Z');
    const person = { to: 'ana@example.com', name: 'Ana', token: 'a_b-c', expiresAt };
    const invitation = { ...person, organizationName: 'Plum', inviterName: 'Ben', role: 'member' as const };
    const about = { id: 'd', organizationId: 'o', organizationName: 'Plum', channel: 'email', attempts: 0 } as const;
    const plain = { channelId: null, createdAt: expiresAt };
    const delivery = { ...about, ...plain, recipient: 'ana@example.com', accountIds: null, userIds: ['u'] };
    const mails = [
      invitationLetter({ publicUrl }, invitation),
      passwordResetLetter({ publicUrl }, person),
      ...Object.values(everyKind).map((announcement) => letterOf({ publicUrl }, { ...delivery, announcement })),
    ];
    for (const { subject, html } of mails) {
      const hrefs = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
      expect(hrefs.length, subject).toBeGreaterThan(1);
      expect(hrefs.filter((href) => !href.startsWith(publicUrl) || !hasPage(href))).toEqual([]);
    }
  });

  it('lead to a console page in every kind of message to every kind of channel', () => {
    const config = { publicUrl: 'https://costs.example.com' };
    const expiresAt = new Date('2026-12-05T10:00:00Z');
    const url = `${config.publicUrl}/api/v1/reports/r1/download?token=1.x`;
    const file = { name: 'a.pdf', sizeBytes: 10, attachment: null, link: { url, expiresAt } };
    const about = { id: 'd', createdAt: expiresAt, organizationId: 'o' };
    for (const [type, announcement] of Object.entries(everyKind)) {
      const content = { ...announcement, label: 'Plum' };
      const messages = [
        slackMessage(config, content, file),
        teamsMessage(config, content, file),
        webhookPayload(config, { ...about, type: announcement.kind, content, file }),
      ];
      for (const message of messages) {
        const urls = JSON.stringify(message).match(/https:\/\/costs\.example\.com[^"\\]*/g) ?? [];
        expect(urls, type).toHaveLength(2);
        expect(urls.filter((at) => at !== url && !hasPage(at))).toEqual([]);
      }
    }
  });

  it('are reported if they lead nowhere', () => {
    expect(hasPage('/reports/x/pages')).toBe(false);
    expect(hasPage('/nothing')).toBe(false);
  });
});
