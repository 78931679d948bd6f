import { z } from 'zod';
import type { Bar, Fact, Meter } from '../../tenancy/mail/figures.ts';
import type { Tone } from '../../tenancy/mail/style.ts';

/** What somebody is told of. Each has a preference of its own. */
export type AnnouncementKind = 'budget_alert' | 'anomaly_alert' | 'alert_rule' | 'report';

/** Something to tell, before it is a mail or a chat message. Every text is plain: names that people gave are made inert where
 *  a message is written, not here. */
export interface Announcement {
  readonly kind: AnnouncementKind;
  /** Names for ever what is told, such as `budget:<id>:2026-11:80`: nobody is told the same twice. */
  readonly subjectKey: string;
  readonly tone: Tone;
  /** One line: the subject of the mail and the heading of both. */
  readonly title: string;
  /** The most important sentence. */
  readonly lead: string;
  /** Figures, formatted. */
  readonly facts: readonly Fact[];
  /** How much of something is used up. */
  readonly meter?: Meter | undefined;
  /** Parts of a whole, the largest first. */
  readonly bars?: readonly Bar[] | undefined;
  readonly paragraphs: readonly string[];
  /** Where to look into it. */
  readonly action: {
    readonly label: string;
    /** Below `PUBLIC_URL`, such as `/budgets/<id>`. */
    readonly path: string;
  };
  /** A report whose file goes with the message: attached to a mail, or as a signed link. */
  readonly attachment?: { readonly reportId: string } | undefined;
  /** Why this reader gets it: a whole sentence. */
  readonly reason: string;
}

/** Who is told. Each address gets one copy, whatever the ways it is reached by. */
export interface Recipients {
  /** The user whose thing it is, by their account's address and the additional ones of their preferences. */
  readonly owner: string | null;
  /** More addresses. One that is a member's gets only what that member may see and wants. */
  readonly addresses: readonly string[];
  /** The user to whose webhook it is posted as well. */
  readonly slackOf: string | null;
  /** Each opted-in member whose scope holds the account, by mail and by their webhook. */
  readonly everyone?: { readonly accountId: string } | undefined;
  /** What it tells of: members whose scope does not hold all of it get none. Null: all accounts of the organization. */
  readonly about: { readonly accountIds: readonly string[] | null };
}

const text = z.string();

/** An announcement as a delivery keeps it. */
export const announcementSchema = z.object({
  kind: z.enum(['budget_alert', 'anomaly_alert', 'alert_rule', 'report']),
  subjectKey: text,
  tone: z.enum(['good', 'info', 'warning', 'critical']),
  title: text,
  lead: text,
  facts: z.array(z.object({ label: text, value: text })),
  meter: z.object({ percent: z.number(), thresholds: z.array(z.number()) }).optional(),
  bars: z.array(z.object({ label: text, value: text, share: z.number() })).optional(),
  paragraphs: z.array(text),
  action: z.object({ label: text, path: text }),
  attachment: z.object({ reportId: text }).optional(),
  reason: text,
}) satisfies z.ZodType<Announcement>;
