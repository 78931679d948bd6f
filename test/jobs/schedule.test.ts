import { expect, it } from 'vitest';
import { schedule } from '../../src/jobs/schedule.ts';
import { readConfig } from '../../src/kit/config/config.ts';
import { aFolder } from '../engine/folder.ts';

const withBackup = { BACKUP_CRON: '30 1 * * *', BACKUP_URL: '/backup' };

it('queues recurring jobs as their kinds define, with one backup at a time and three attempts', () => {
  const items = schedule(readConfig({ DATA_DIR: aFolder(), ...withBackup }));
  const backup = items.find(({ task }) => task === 'backup');
  expect(backup?.options).toMatchObject({ jobKey: 'backup', queueName: 'backup', maxAttempts: 3 });
});

it('has no jobs that the configuration disables', () => {
  const tasks = schedule(readConfig({ DATA_DIR: aFolder(), SYNC_CRON: 'off' })).map(({ task }) => task);
  expect(tasks).not.toContain('sync_all');
  expect(tasks).not.toContain('backup');
  expect(tasks).toContain('evaluate_all');
});
