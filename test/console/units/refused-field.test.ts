import { expect, it } from 'vitest';
import { connectedAlready, plainRefusal } from '../../../src/console/accounts/source/values.ts';
import { fieldsOf } from '../../../src/console/accounts/source/ways.ts';
import { Refusal } from '../../../src/console/api/refusal.ts';

it('omits API operations from messages in forms', () => {
  const refusal = new Refusal('VALIDATION_ERROR', 'credentials are required for provider aws; see accountSetup', {
    status: 400,
    field: 'credentials',
    reason: 'are required for provider aws',
    remedy: 'see accountSetup',
    operation: 'accountSetup',
  });
  expect(plainRefusal(refusal, [])?.message).toBe('credentials are required for provider aws');
});

it('keeps a remedy without an API operation', () => {
  const refusal = new Refusal('VALIDATION_ERROR', 'settings.path is absolute; give it relative to FOCUS_ROOT', {
    status: 400,
    field: 'settings.path',
    reason: 'is absolute',
    remedy: 'give it relative to FOCUS_ROOT',
  });
  const fields = [{ name: 'path', label: 'Folder', kind: 'text', example: '', help: '' } as never];
  expect(plainRefusal(refusal, fields)?.message).toBe('Folder is absolute; give it relative to FOCUS_ROOT');
});

it('finds the conflicting account in the error', () => {
  const id = '019a8c2e-0000-7000-8000-000000000002';
  const refusal = new Refusal('CONFLICT', `settings.path belongs to "may", already connected as account "${id}"`, {
    status: 409,
    field: 'settings.path',
    resourceId: id,
  });
  expect(connectedAlready(refusal)).toBe(id);
  expect(plainRefusal(refusal, [])?.message).toBe('This source is already connected as another account');
  expect(connectedAlready(new Refusal('CONFLICT', 'settings.path is taken', { status: 409 }))).toBe(null);
});

it('replaces the names of fields of other methods with their labels', () => {
  const refusal = new Refusal('VALIDATION_ERROR', 'connect a Data Export instead (settings.bucket)', { status: 400 });
  expect(plainRefusal(refusal, fieldsOf('AWS'))?.message).toBe('connect a Data Export instead (“Bucket”)');
});
