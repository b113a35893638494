import { area } from '../operation';
import { acknowledgement, alert, alertFilter, alertPage, alertRule, alertRuleEdit } from '../shapes/alert';
import { page, pageOf } from '../shapes/common';

export const adminAlerts = area(
  'Admin: alerts',
  'What is or was not as it should be; looked at every 15 seconds.',
);
const { operation } = adminAlerts;

export const listAlerts = operation('GET /api/admin/alerts', {
  who: 'seeAdmin',
  says: 'Alerts, newest first; merchants see those about their own sales.',
  query: page.extend(alertFilter.shape),
  answers: { 200: alertPage },
});

export const acknowledgeAlert = operation('POST /api/admin/alerts/{id}/acknowledge', {
  who: 'manageSales',
  says: 'Says that somebody sees to it; the first one counts.',
  body: acknowledgement,
  answers: { 200: alert },
  errors: ['ALERT_NOT_FOUND'],
});

export const listAlertRules = operation('GET /api/admin/alerts/rules', {
  who: 'seeShop',
  says: 'All rules; they are a fixed few.',
  answers: { 200: pageOf('rules', alertRule) },
});

export const editAlertRule = operation('PATCH /api/admin/alerts/rules', {
  who: 'operator',
  says: 'Another threshold, or on and off (at least one of them), based on the version last seen.',
  body: alertRuleEdit,
  answers: { 200: alertRule },
  errors: ['VERSION_CONFLICT'],
});
