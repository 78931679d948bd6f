import { Alert, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCloudOff, IconHourglass, IconLock } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Refusal } from '../api/refusal.ts';
import { counted, sentence } from '../words/format.ts';

interface Props {
  readonly refusal: Refusal | null;
  /** Called when the waiting time is over. */
  readonly onOver?: () => void;
}

/** Alert for a rejected login or another action that requires a password or code, with the waiting time if there is one. */
export function AuthRefusal({ refusal, onOver }: Props) {
  if (!refusal) return null;
  const { code, retryAfter } = refusal;
  const wait = retryAfter === null ? null : <Wait key={refusal.message} seconds={retryAfter} onOver={onOver} />;
  switch (code) {
    case 'ACCOUNT_LOCKED':
      return (
        <Note title="Temporarily locked" Icon={IconLock}>
          Too many failed attempts. {wait} To unlock it earlier, reset your password or ask an Admin of your
          organization.
        </Note>
      );
    case 'RATE_LIMITED':
      return (
        <Note title="Too many requests" Icon={IconHourglass}>
          This server limits the number of requests per minute. {wait}
        </Note>
      );
    case 'AWAY':
    case 'SERVICE_UNAVAILABLE':
      return (
        <Note title="The server is not available" Icon={IconCloudOff}>
          {sentence(refusal.message)}
        </Note>
      );
    default:
      return <Note Icon={IconAlertTriangle}>{sentence(sayingOf(refusal))}</Note>;
  }
}

/** Rewords API messages, which address programs, for people. */
function sayingOf(refusal: Refusal): string {
  const { code, field } = refusal;
  const isWrong = code === 'UNAUTHORIZED' || code === 'FORBIDDEN';
  if (isWrong && field === 'code') return 'The code is wrong or was already used';
  if (isWrong && field === 'response') return 'The passkey was not accepted. Try again, or sign in with your password';
  if (field === 'inviteToken' || field === 'invite_token') return refusal.labelled('This invitation');
  return refusal.message;
}

interface NoteProps {
  readonly title?: string;
  readonly Icon: typeof IconLock;
  readonly children: ReactNode;
}

function Note({ title, Icon, children }: NoteProps) {
  return (
    <Alert color="red" role="alert" icon={<Icon size={18} aria-hidden />} {...(title && { title })}>
      <span style={{ overflowWrap: 'anywhere' }}>{children}</span>
    </Alert>
  );
}

interface WaitProps {
  readonly seconds: number;
  readonly onOver: (() => void) | undefined;
}

/** Visible countdown; screen readers announce the duration only once. */
function Wait({ seconds, onOver }: WaitProps) {
  const [until] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left <= 0) return onOver?.();
    const timer = setTimeout(() => setLeft(Math.ceil((until - Date.now()) / 1000)), 1000);
    return () => clearTimeout(timer);
  }, [left, until, onOver]);
  const heard = seconds < 60 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');
  return (
    <>
      <VisuallyHidden>You can try again in {heard}.</VisuallyHidden>
      <span aria-hidden>You can try again in {spanOf(Math.max(left, 0))}.</span>
    </>
  );
}

function spanOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Returns the obvious error in an email address, or null; the server validates it. */
export function emailFault(text: string): string | null {
  if (text.trim() === '') return 'Enter your email address';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) ? null : 'Enter an address such as ana@example.com';
}

/** Returns the error in a new password, or null. */
export function newPasswordFault(text: string): string | null {
  const length = [...text].length;
  if (length < 8) return 'Use at least 8 characters';
  return length > 128 ? 'Use at most 128 characters' : null;
}

/** Returns the error in a name, or null. */
export function nameFault(text: string, what: string): string | null {
  const length = [...text.trim()].length;
  if (length === 0) return `Enter ${what}`;
  return length > 100 ? 'Use at most 100 characters' : null;
}

/** The server's password rules, shown before the first error. */
export const passwordRules =
  'At least 8 characters. Common passwords are rejected; a phrase of several words works well.';
