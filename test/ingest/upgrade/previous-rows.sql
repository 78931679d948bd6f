-- Rows of every table that is empty in `previous.sql.gz`, in the form of its version (up to 20261122091124).
INSERT INTO budgets (id, organization_id, name, amount, currency, provider, alert_thresholds, emails, created_by_id, created_at, updated_at)
SELECT '0193a000-0000-7000-8000-000000000001', o.id, 'Cloud', 1000.50, 'USD', 'aws', '{50,80,100}', '{ana@example.com}', m.user_id, '2026-05-01', '2026-05-02'
FROM organizations o JOIN memberships m ON m.organization_id = o.id WHERE o.name = 'Plum';
INSERT INTO budget_alerts (budget_id, month, threshold, spend, triggered_at, is_silent) VALUES
('0193a000-0000-7000-8000-000000000001', '2026-05-01', 50, 512.25, '2026-05-12', false),
('0193a000-0000-7000-8000-000000000001', '2026-05-01', 80, 820, '2026-05-21', true),
('0193a000-0000-7000-8000-000000000001', '2026-06-01', 50, 500.25, '2026-06-14', false);
INSERT INTO alert_rules (id, organization_id, name, metric, operator, threshold, account_id, emails, created_by_id, created_at, updated_at, judged_from)
SELECT '0193a000-0000-7000-8000-000000000002', a.organization_id, 'Spikes', 'day_over_day_percent', 'gt', 25.5, a.id, '{}', m.user_id, '2026-05-01', '2026-05-02', '2026-05-01'
FROM accounts a JOIN organizations o ON o.id = a.organization_id JOIN memberships m ON m.organization_id = o.id WHERE o.name = 'Plum' LIMIT 1;
INSERT INTO alert_firings (rule_id, day, figure, threshold, fired_at)
VALUES ('0193a000-0000-7000-8000-000000000002', '2026-05-20', 40.125, 25.5, '2026-05-21');
INSERT INTO anomalies (id, organization_id, account_id, provider, service, region, kind, start_date, end_date, status, severity, currency, expected_cost, actual_cost, series, detected_at, updated_at, facts)
SELECT '0193a000-0000-7000-8000-000000000003', organization_id, id, 'aws', 'Compute', 'us-east-1', 'spike', '2026-05-20', '2026-05-20', 'acknowledged', 'high', 'USD', 10.5, 99.25, '[]', '2026-05-21', '2026-05-22', '{}'
FROM accounts WHERE provider = 'focus' LIMIT 1;
INSERT INTO api_tokens (id, organization_id, user_id, name, token_hash, last_four, read_only)
SELECT '0193a000-0000-7000-8000-000000000004', organization_id, user_id, 'CI', '\x01', 'abcd', true FROM memberships LIMIT 1;
INSERT INTO audit_entries (id, organization_id, actor_email, action, resource_type, ip_address, user_agent, details)
SELECT '0193a000-0000-7000-8000-000000000005', id, 'ana@example.com', 'login', 'session', '192.0.2.1', 'curl', '{"a": 1}' FROM organizations WHERE name = 'Plum';
INSERT INTO challenges (id, kind, token_hash, user_id, expires_at)
SELECT '0193a000-0000-7000-8000-000000000006', 'second_factor', '\x02', id, '2099-01-01' FROM users LIMIT 1;
INSERT INTO coverage_flagged_days (account_id, organization_id, billing_period, date, provider, currency, pricing_kind, service_id, region_id, commitment_id, program, pool, effective, equivalent, steady, uneven)
SELECT id, organization_id, '2026-05-01', '2026-05-20', 'aws', 'USD', 1, 1, 1, 0, 'compute', 'p', 1.5, 2.5, 0.5, 0 FROM accounts LIMIT 1;
INSERT INTO deliveries (id, organization_id, channel, recipient, kind, subject_key, content, status, attempts, created_at, sent_at, next_attempt_at)
SELECT '0193a000-0000-7000-8000-000000000007', id, 'email', 'ana@example.com', 'budget_alerts', 'budget:1', '{}', 'sent', 1, '2026-05-12', '2026-05-12', '2026-05-12' FROM organizations WHERE name = 'Plum';
INSERT INTO exchange_rates (organization_id, month, from_currency, to_currency, rate)
SELECT id, '2026-05-01', 'EUR', 'USD', 1.0825 FROM organizations WHERE name = 'Plum';
INSERT INTO inventory_counts (account_id, organization_id, provider, resource_type, service, region, is_gone, resources, currency)
SELECT id, organization_id, 'aws', 'vm', 'Compute', 'us-east-1', false, 1, 'USD' FROM accounts LIMIT 1;
INSERT INTO inventory_listings (account_id, resource_id, organization_id, provider, native_id, name, resource_type, service, region, tags, metadata, listed_at)
SELECT id, 77, organization_id, 'aws', 'vm-77', 'web', 'vm', 'Compute', 'us-east-1', '{"team": "blue"}', '{}', '2026-05-20' FROM accounts LIMIT 1;
INSERT INTO inventory_resources (account_id, resource_id, organization_id, id, provider, native_id, name, resource_type, service, region, sub_account, tags, metadata, currency, cost_last_30_days, first_seen_at, last_seen_at, search_text)
SELECT id, 77, organization_id, '0193a000-0000-7000-8000-000000000008', 'aws', 'vm-77', 'web', 'vm', 'Compute', 'us-east-1', '', '{"team": "blue"}', '{}', 'USD', 12.75, '2026-05-01', '2026-05-20', 'web vm-77' FROM accounts LIMIT 1;
INSERT INTO invites (id, organization_id, email, role, token_hash, sent_at, expires_at)
SELECT '0193a000-0000-7000-8000-000000000009', id, 'bob@example.com', 'member', '\x03', '2026-05-01', '2099-01-01' FROM organizations WHERE name = 'Plum';
INSERT INTO login_locks (email_hash, failed_logins, updated_at) VALUES ('\x04', 3, '2026-05-01');
INSERT INTO notification_preferences (organization_id, user_id, email, slack, additional_emails, updated_at)
SELECT organization_id, user_id, '{"anomalies": true}', '{"anomalies": false}', '{ops@example.com}', '2026-05-01' FROM memberships LIMIT 1;
INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, transports, device_type, backed_up)
SELECT '0193a000-0000-7000-8000-00000000000a', id, 'Laptop', '\x05', '\x06', 7, '{internal}', 'multiDevice', true FROM users WHERE email = 'ben@example.com';
INSERT INTO password_resets (id, user_id, token_hash, expires_at)
SELECT '0193a000-0000-7000-8000-00000000000b', id, '\x07', '2099-01-01' FROM users LIMIT 1;
INSERT INTO recommendations (id, organization_id, account_id, fingerprint, provider, type, title, description, status, native_id, currency, estimated_monthly_savings, confidence, evidence, scripts, created_at, updated_at)
SELECT '0193a000-0000-7000-8000-00000000000c', organization_id, id, 'f1', 'aws', 'aws_ebs_unattached', 'Delete it', 'It is unattached.', 'in_progress', 'vol-1', 'USD', 4.25, 'high', '{}', '{}', '2026-05-01', '2026-05-02' FROM accounts LIMIT 1;
INSERT INTO recommendation_sums (organization_id, account_id, provider, type, status, currency, recommendations, savings)
SELECT organization_id, id, 'aws', 'aws_ebs_unattached', 'in_progress', 'USD', 1, 4.25 FROM accounts LIMIT 1;
INSERT INTO recovery_codes (id, user_id, code_hash)
SELECT '0193a000-0000-7000-8000-00000000000d', id, '\x08' FROM users LIMIT 1;
INSERT INTO report_schedules (id, organization_id, name, type, format, filters, frequency, day, hour, time_zone, recipients, next_run_at, created_by_id, created_at, updated_at)
SELECT '0193a000-0000-7000-8000-00000000000e', organization_id, 'Monthly', 'cost_summary', 'pdf', '{"provider": "aws"}', 'monthly', 1, 6, 'Europe/Berlin', '{cfo@example.com}', '2099-01-01', user_id, '2026-05-01', '2026-05-02' FROM memberships LIMIT 1;
INSERT INTO reports (id, organization_id, type, format, start_date, end_date, filters, is_restricted, status, failure, created_by_id, created_at, expires_at, schedule_id)
SELECT '0193a000-0000-7000-8000-00000000000f', organization_id, 'cost_summary', 'pdf', '2026-05-01', '2026-05-31', '{}', false, 'failed', 'The disk is full', user_id, '2026-05-01', '2099-01-01', '0193a000-0000-7000-8000-00000000000e' FROM memberships LIMIT 1;
INSERT INTO report_chunks (report_id, part, bytes) VALUES ('0193a000-0000-7000-8000-00000000000f', 0, '\x255044462d');
INSERT INTO sessions (id, organization_id, user_id, refresh_hash, ip_address, user_agent, expires_at)
SELECT '0193a000-0000-7000-8000-000000000010', organization_id, user_id, '\x09', '192.0.2.1', 'curl', '2099-01-01' FROM memberships LIMIT 1;
INSERT INTO used_refresh_tokens (token_hash, session_id, used_at) VALUES ('\x0a', '0193a000-0000-7000-8000-000000000010', '2026-05-01');
INSERT INTO tag_policies (id, organization_id, name, rules, resource_types, updated_at)
SELECT '0193a000-0000-7000-8000-000000000011', id, 'Owners', '[{"key": "team", "required": true}]', '{vm}', '2026-05-01' FROM organizations WHERE name = 'Plum';
INSERT INTO tag_violations (account_id, policy_id, resource_id, key, organization_id, problem, currency, cost, provider, resource_type)
SELECT id, '0193a000-0000-7000-8000-000000000011', 77, 'team', organization_id, 'missing', 'USD', 3.5, 'aws', 'vm' FROM accounts LIMIT 1;
INSERT INTO tag_violation_counts (account_id, policy_id, key, problem, provider, resource_type, currency, organization_id, violations)
SELECT id, '0193a000-0000-7000-8000-000000000011', 'team', 'missing', 'aws', 'vm', 'USD', organization_id, 1 FROM accounts LIMIT 1;
INSERT INTO tag_key_costs (account_id, folded_key, organization_id, provider, currency, month, cost, taggable_cost)
SELECT id, 'team', organization_id, 'aws', 'USD', '2026-05-01', 5.5, 7.25 FROM accounts LIMIT 1;
INSERT INTO tag_key_usage (account_id, folded_key, organization_id, provider, key, value_count, resource_count, value_ids)
SELECT id, 'team', organization_id, 'aws', 'Team', 2, 3, '{1,2}' FROM accounts LIMIT 1;
INSERT INTO taggable_costs (account_id, organization_id, provider, currency, month, cost)
SELECT id, organization_id, 'aws', 'USD', '2026-05-01', 9.75 FROM accounts LIMIT 1;
INSERT INTO worker_processes (worker_id, lock_key) VALUES ('worker-1', 12345);
