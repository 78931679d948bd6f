/** Expected outcomes: for each request and caller the REST status, which implies the error code; `setup` is 403
 *  TWO_FACTOR_SETUP_REQUIRED, `404b` is 404 BUDGET_NOT_FOUND. GraphQL returns the same errors. The callers are: anonymous; a
 *  session whose access token has expired, has a foreign signature, or was revoked; the four roles (owner: the Super Admin);
 *  a Member and an Admin with access to one of two accounts; the Super Admin of another organization; an Admin's API token,
 *  and a read-only one; an Admin without the second factor that the organization requires. The requests are in requests.ts.
 *  A read-only token is refused for every mutation, including those that need no token. */
export const table = `
#                         none expired forged revoked viewer member admin owner restricted restr.adm outsider token read-only unenrolled
# Without authentication
register                  201  201     201    201     201    201    201   201   201        201       201      201   403       201
login                     200  200     200    200     200    200    200   200   200        200       200      200   403       200
refresh                   200  200     200    200     200    200    200   200   200        200       200      200   403       200
logout                    204  204     204    204     204    204    204   204   204        204       204      204   403       204
forgotPassword            202  202     202    202     202    202    202   202   202        202       202      202   403       202
resetPassword             204  204     204    204     204    204    204   204   204        204       204      204   403       204
verifyTwoFactor           401  401     401    401     401    401    401   401   401        401       401      401   403       401
authenticateWithPasskey   200  200     200    200     200    200    200   200   200        200       200      200   403       200
openApiDocument           200  200     200    200     200    200    200   200   200        200       200      200   200       200
# Oneself
me                        401  401     401    401     200    200    200   200   200        200       200      200   200       200
updateMe                  401  401     401    401     200    200    200   200   200        200       200      200   403       setup
changePassword            401  401     401    401     204    204    204   204   204        204       204      403   403       setup
sessions                  401  401     401    401     200    200    200   200   200        200       200      403   403       setup
revokeSession             401  401     401    401     204    204    204   204   204        204       404      403   403       setup
apiTokens                 401  401     401    401     200    200    200   200   200        200       200      403   403       setup
createApiToken            401  401     401    401     201    201    201   201   201        201       201      403   403       setup
revokeApiToken            401  401     401    401     204    204    204   204   204        204       404      403   403       setup
setUpTwoFactor            401  401     401    401     200    200    200   200   200        200       200      403   403       200
confirmTwoFactor          401  401     401    401     409    409    409   409   409        409       409      403   403       409
disableTwoFactor          401  401     401    401     409    409    409   409   409        409       409      403   403       setup
renewRecoveryCodes        401  401     401    401     409    409    409   409   409        409       409      403   403       setup
passkeys                  401  401     401    401     200    200    200   200   200        200       200      403   403       200
registerPasskey           401  401     401    401     200    200    200   200   200        200       200      403   403       200
updatePasskey             401  401     401    401     200    200    200   200   200        200       404      403   403       setup
deletePasskey             401  401     401    401     204    204    204   204   204        204       404      403   403       setup
switchOrganization        401  401     401    401     200    200    200   200   200        200       400      403   403       200
acceptInvite              401  401     401    401     200    200    200   200   200        200       200      403   403       setup
# The organization
organization              401  401     401    401     200    200    200   200   200        200       200      200   200       setup
exchangeRates             401  401     401    401     200    200    200   200   200        200       200      200   200       setup
updateOrganization        401  401     401    401     403    403    200   200   403        403       200      200   403       setup
updateOrganization bill   401  401     401    401     403    403    403   200   403        403       200      403   403       setup
setExchangeRates          401  401     401    401     403    403    200   200   403        403       200      200   403       setup
deleteOrganization        401  401     401    401     403    403    403   204   403        403       204      403   403       setup
auditLogs                 401  401     401    401     403    403    200   200   403        200       200      200   200       setup
# Members
members                   401  401     401    401     200    200    200   200   200        200       200      200   200       setup
member                    401  401     401    401     200    200    200   200   200        200       404      200   200       setup
updateMember              401  401     401    401     403    403    200   200   403        200       404      200   403       setup
updateMember owner        401  401     401    401     403    403    403   403   403        403       404      403   403       setup
updateMember to owner     401  401     401    401     403    403    403   403   403        403       404      403   403       setup
updateMember theirs       401  401     401    401     403    403    200   200   403        400       404      200   403       setup
removeMember              401  401     401    401     403    403    204   204   403        204       404      204   403       setup
removeMember owner        401  401     401    401     403    403    403   403   403        403       404      403   403       setup
unlockMember              401  401     401    401     403    403    200   200   403        200       404      200   403       setup
transferOwnership         401  401     401    401     403    403    403   200   403        403       400      403   403       setup
invites                   401  401     401    401     200    200    200   200   200        200       200      200   200       setup
inviteMembers             401  401     401    401     403    403    201   201   403        403       201      201   403       setup
inviteMembers mine        401  401     401    401     403    403    201   201   403        201       400      201   403       setup
inviteMembers theirs      401  401     401    401     403    403    201   201   403        400       400      201   403       setup
resendInvite              401  401     401    401     403    403    200   200   403        200       404      200   403       setup
revokeInvite              401  401     401    401     403    403    204   204   403        204       404      204   403       setup
# Accounts
accounts                  401  401     401    401     200    200    200   200   200        200       200      200   200       setup
accountSetup              401  401     401    401     200    200    200   200   200        200       200      200   200       setup
account                   401  401     401    401     200    200    200   200   200        200       404      200   200       setup
account theirs            401  401     401    401     200    200    200   200   404        404       404      200   200       setup
connectAccount            401  401     401    401     403    403    201   201   403        201       201      201   403       setup
updateAccount             401  401     401    401     403    403    200   200   403        200       404      200   403       setup
updateAccount theirs      401  401     401    401     403    403    200   200   403        404       404      200   403       setup
syncAccount               401  401     401    401     403    403    202   202   403        202       404      202   403       setup
syncAccount theirs        401  401     401    401     403    403    202   202   403        404       404      202   403       setup
cancelSync                401  401     401    401     403    403    204   204   403        204       404      204   403       setup
cancelSync theirs         401  401     401    401     403    403    204   204   403        404       404      204   403       setup
accountFiles              401  401     401    401     200    200    200   200   200        200       404      200   200       setup
accountFiles theirs       401  401     401    401     200    200    200   200   404        404       404      200   200       setup
accountFile               401  401     401    401     200    200    200   200   200        200       404      200   200       setup
accountFile theirs        401  401     401    401     200    200    200   200   404        404       404      200   200       setup
accountSyncs              401  401     401    401     200    200    200   200   200        200       404      200   200       setup
accountSyncs theirs       401  401     401    401     200    200    200   200   404        404       404      200   200       setup
deleteAccountFile         401  401     401    401     403    403    204   204   403        204       404      204   403       setup
deleteAccountFile theirs  401  401     401    401     403    403    204   204   403        404       404      204   403       setup
uploadAccountFile         401  401     401    401     403    403    201   201   403        201       404      201   403       setup
uploadAccountFile theirs  401  401     401    401     403    403    201   201   403        404       404      201   403       setup
disconnectAccount         401  401     401    401     403    403    204   204   403        204       404      204   403       setup
disconnectAccount theirs  401  401     401    401     403    403    204   204   403        404       404      204   403       setup
loadSampleData            401  401     401    401     403    403    201   201   403        403       201      201   403       setup
removeSampleData          401  401     401    401     403    403    204   204   403        403       204      204   403       setup
# Costs
costsSummary              401  401     401    401     200    200    200   200   200        200       200      200   200       setup
costsByService            401  401     401    401     200    200    200   200   200        200       200      200   200       setup
costsByAccount            401  401     401    401     200    200    200   200   200        200       200      200   200       setup
costsByRegion             401  401     401    401     200    200    200   200   200        200       200      200   200       setup
costsByTag                401  401     401    401     200    200    200   200   200        200       200      200   200       setup
costsDaily                401  401     401    401     200    200    200   200   200        200       200      200   200       setup
costsTrend                401  401     401    401     200    200    200   200   200        200       200      200   200       setup
costs                     401  401     401    401     200    200    200   200   200        200       200      200   200       setup
costDimensionValues       401  401     401    401     200    200    200   200   200        200       200      200   200       setup
exportCosts               401  401     401    401     200    200    200   200   200        200       200      200   200       setup
# Unit metrics
unitMetrics               401  401     401    401     200    200    200   200   200        200       200      200   200       setup
unitMetric                401  401     401    401     200    200    200   200   200        200       404      200   200       setup
unitMetricValues          401  401     401    401     200    200    200   200   200        200       404      200   200       setup
unitCost                  401  401     401    401     200    200    200   200   200        200       400      200   200       setup
createUnitMetric          401  401     401    401     403    403    201   201   403        403       201      201   403       setup
updateUnitMetric          401  401     401    401     403    403    200   200   403        403       404      200   403       setup
deleteUnitMetric          401  401     401    401     403    403    204   204   403        403       404      204   403       setup
setUnitMetricValues       401  401     401    401     403    403    200   200   403        403       404      200   403       setup
deleteUnitMetricValues    401  401     401    401     403    403    204   204   403        403       404      204   403       setup
# Views and dashboards
savedViews                401  401     401    401     200    200    200   200   200        200       200      200   200       setup
savedView                 401  401     401    401     200    200    200   200   200        200       404      200   200       setup
savedView everywhere      401  401     401    401     200    200    200   200   404        404       404      200   200       setup
savedView theirs          401  401     401    401     200    200    200   200   404        404       404      200   200       setup
savedView private         401  401     401    401     404    404    404   404   404        404       404      404   404       setup
createSavedView           401  401     401    401     201    201    201   201   201        201       201      201   403       setup
createSavedView shared    401  401     401    401     403    201    201   201   201        201       201      201   403       setup
updateSavedView           401  401     401    401     200    200    200   200   200        200       404      200   403       setup
updateSavedView mine      401  401     401    401     403    403    200   200   403        200       404      200   403       setup
updateSavedView private   401  401     401    401     404    404    404   404   404        404       404      404   403       setup
deleteSavedView           401  401     401    401     204    204    204   204   204        204       404      204   403       setup
deleteSavedView mine      401  401     401    401     403    403    204   204   403        204       404      204   403       setup
deleteSavedView private   401  401     401    401     404    404    404   404   404        404       404      404   403       setup
dashboards                401  401     401    401     200    200    200   200   200        200       200      200   200       setup
dashboard                 401  401     401    401     200    200    200   200   200        200       404      200   200       setup
dashboard everywhere      401  401     401    401     200    200    200   200   404        404       404      200   200       setup
dashboard theirs          401  401     401    401     200    200    200   200   404        404       404      200   200       setup
dashboard private         401  401     401    401     404    404    404   404   404        404       404      404   404       setup
createDashboard           401  401     401    401     201    201    201   201   201        201       201      201   403       setup
createDashboard shared    401  401     401    401     403    201    201   201   201        201       201      201   403       setup
createDashboard private view 401 401   401    401     400    400    400   400   400        400       400      400   403       setup
updateDashboard           401  401     401    401     200    200    200   200   200        200       404      200   403       setup
updateDashboard mine      401  401     401    401     403    403    200   200   403        200       404      200   403       setup
updateDashboard private   401  401     401    401     404    404    404   404   404        404       404      404   403       setup
deleteDashboard           401  401     401    401     204    204    204   204   204        204       404      204   403       setup
deleteDashboard mine      401  401     401    401     403    403    204   204   403        204       404      204   403       setup
deleteDashboard private   401  401     401    401     404    404    404   404   404        404       404      404   403       setup
defaultDashboard          401  401     401    401     200    200    200   200   200        200       200      200   200       setup
updateDefaultDashboard    401  401     401    401     200    200    200   200   200        200       400      200   403       setup
updateDefaultDashboard everywhere 401 401 401 401     200    200    200   200   400        400       400      200   403       setup
updateDefaultDashboard private 401 401 401    401     400    400    400   400   400        400       400      400   403       setup
updateDefaultDashboard ours 401 401    401    401     403    403    200   200   403        403       400      200   403       setup
# Annotations
annotations               401  401     401    401     200    200    200   200   200        200       200      200   200       setup
annotation                401  401     401    401     200    200    200   200   200        200       404      200   200       setup
annotation mine           401  401     401    401     200    200    200   200   200        200       404      200   200       setup
annotation theirs         401  401     401    401     200    200    200   200   404        404       404      200   200       setup
createAnnotation          401  401     401    401     403    201    201   201   403        403       201      201   403       setup
createAnnotation mine     401  401     401    401     403    201    201   201   201        201       400      201   403       setup
createAnnotation theirs   401  401     401    401     403    201    201   201   400        400       400      201   403       setup
updateAnnotation          401  401     401    401     403    403    200   200   403        403       404      200   403       setup
updateAnnotation own      401  401     401    401     403    200    200   200   200        200       404      200   403       setup
updateAnnotation mine     401  401     401    401     403    403    200   200   403        200       404      200   403       setup
updateAnnotation theirs   401  401     401    401     403    403    200   200   404        404       404      200   403       setup
deleteAnnotation          401  401     401    401     403    403    204   204   403        403       404      204   403       setup
deleteAnnotation own      401  401     401    401     403    204    204   204   204        204       404      204   403       setup
deleteAnnotation mine     401  401     401    401     403    403    204   204   403        204       404      204   403       setup
deleteAnnotation theirs   401  401     401    401     403    403    204   204   404        404       404      204   403       setup
# Invoices
invoices                  401  401     401    401     200    200    200   200   200        200       200      200   200       setup
invoice                   401  401     401    401     200    200    200   200   200        200       404      200   200       setup
invoice theirs            401  401     401    401     200    200    200   200   404        404       404      200   200       setup
setInvoiceAmount          401  401     401    401     403    403    200   200   403        200       404      200   403       setup
setInvoiceAmount theirs   401  401     401    401     403    403    200   200   403        404       404      200   403       setup
deleteInvoiceAmount       401  401     401    401     403    403    204   204   403        204       404      204   403       setup
deleteInvoiceAmount theirs 401  401     401    401     403    403    204   204   403        404       404      204   403       setup
# Inventory
inventory                 401  401     401    401     200    200    200   200   200        200       200      200   200       setup
inventoryResource         401  401     401    401     200    200    200   200   200        200       404      200   200       setup
inventoryResource theirs  401  401     401    401     200    200    200   200   404        404       404      200   200       setup
inventorySummary          401  401     401    401     200    200    200   200   200        200       200      200   200       setup
# Virtual tags
virtualTags               401  401     401    401     200    200    200   200   200        200       200      200   200       setup
virtualTag                401  401     401    401     200    200    200   200   200        200       404      200   200       setup
createVirtualTag          401  401     401    401     403    403    201   201   403        403       201      201   403       setup
updateVirtualTag          401  401     401    401     403    403    200   200   403        403       404      200   403       setup
deleteVirtualTag          401  401     401    401     403    403    204   204   403        403       404      204   403       setup
previewVirtualTag         401  401     401    401     403    403    200   200   403        200       200      200   403       setup
# Tags
tags                      401  401     401    401     200    200    200   200   200        200       200      200   200       setup
tagViolations             401  401     401    401     200    200    200   200   200        200       200      200   200       setup
tagPolicies               401  401     401    401     200    200    200   200   200        200       200      200   200       setup
tagPolicy                 401  401     401    401     200    200    200   200   200        200       404      200   200       setup
tagPolicy mine            401  401     401    401     200    200    200   200   200        200       404      200   200       setup
tagPolicy theirs          401  401     401    401     200    200    200   200   404        404       404      200   200       setup
createTagPolicy           401  401     401    401     403    403    201   201   403        403       201      201   403       setup
createTagPolicy mine      401  401     401    401     403    403    201   201   403        201       400      201   403       setup
createTagPolicy theirs    401  401     401    401     403    403    201   201   403        400       400      201   403       setup
updateTagPolicy           401  401     401    401     403    403    200   200   403        403       404      200   403       setup
updateTagPolicy mine      401  401     401    401     403    403    200   200   403        200       404      200   403       setup
updateTagPolicy theirs    401  401     401    401     403    403    200   200   403        404       404      200   403       setup
deleteTagPolicy           401  401     401    401     403    403    204   204   403        403       404      204   403       setup
deleteTagPolicy mine      401  401     401    401     403    403    204   204   403        204       404      204   403       setup
deleteTagPolicy theirs    401  401     401    401     403    403    204   204   403        404       404      204   403       setup
# Coverage
coverage                  401  401     401    401     200    200    200   200   200        200       200      200   200       setup
coverageDaily             401  401     401    401     200    200    200   200   200        200       200      200   200       setup
coverageGaps              401  401     401    401     200    200    200   200   200        200       200      200   200       setup
coveragePlanner           401  401     401    401     200    200    200   200   200        200       200      200   200       setup
# Forecast
forecast                  401  401     401    401     200    200    200   200   200        200       200      200   200       setup
forecastAccuracy          401  401     401    401     200    200    200   200   200        200       200      200   200       setup
# Anomalies
anomalies                 401  401     401    401     200    200    200   200   200        200       200      200   200       setup
anomaly                   401  401     401    401     200    200    200   200   200        200       404      200   200       setup
anomaly theirs            401  401     401    401     200    200    200   200   404        404       404      200   200       setup
updateAnomaly             401  401     401    401     403    200    200   200   200        200       404      200   403       setup
updateAnomaly theirs      401  401     401    401     403    200    200   200   404        404       404      200   403       setup
updateAnomalies           401  401     401    401     403    200    200   200   200        200       404      200   403       setup
updateAnomalies theirs    401  401     401    401     403    200    200   200   404        404       404      200   403       setup
# Budgets
budgets                   401  401     401    401     200    200    200   200   200        200       200      200   200       setup
budget                    401  401     401    401     200    200    200   200   404b       404b      404b     200   200       setup
budget mine               401  401     401    401     200    200    200   200   200        200       404b     200   200       setup
budget theirs             401  401     401    401     200    200    200   200   404b       404b      404b     200   200       setup
createBudget              401  401     401    401     403    201    201   201   403        403       201      201   403       setup
createBudget mine         401  401     401    401     403    201    201   201   201        201       400      201   403       setup
createBudget theirs       401  401     401    401     403    201    201   201   400        400       400      201   403       setup
updateBudget              401  401     401    401     403    200    200   200   404b       404b      404b     200   403       setup
updateBudget mine         401  401     401    401     403    200    200   200   200        200       404b     200   403       setup
updateBudget theirs       401  401     401    401     403    200    200   200   404b       404b      404b     200   403       setup
deleteBudget              401  401     401    401     403    204    204   204   404b       404b      404b     204   403       setup
deleteBudget mine         401  401     401    401     403    204    204   204   204        204       404b     204   403       setup
deleteBudget theirs       401  401     401    401     403    204    204   204   404b       404b      404b     204   403       setup
# Alert rules
alertRules                401  401     401    401     200    200    200   200   200        200       200      200   200       setup
alertRule                 401  401     401    401     200    200    200   200   404        404       404      200   200       setup
alertRule mine            401  401     401    401     200    200    200   200   200        200       404      200   200       setup
alertRule theirs          401  401     401    401     200    200    200   200   404        404       404      200   200       setup
createAlertRule           401  401     401    401     403    403    201   201   403        403       201      201   403       setup
createAlertRule mine      401  401     401    401     403    403    201   201   403        201       400      201   403       setup
createAlertRule theirs    401  401     401    401     403    403    201   201   403        400       400      201   403       setup
updateAlertRule           401  401     401    401     403    403    200   200   403        404       404      200   403       setup
updateAlertRule mine      401  401     401    401     403    403    200   200   403        200       404      200   403       setup
updateAlertRule theirs    401  401     401    401     403    403    200   200   403        404       404      200   403       setup
deleteAlertRule           401  401     401    401     403    403    204   204   403        404       404      204   403       setup
deleteAlertRule mine      401  401     401    401     403    403    204   204   403        204       404      204   403       setup
deleteAlertRule theirs    401  401     401    401     403    403    204   204   403        404       404      204   403       setup
# Recommendations
recommendations           401  401     401    401     200    200    200   200   200        200       200      200   200       setup
recommendationsSummary    401  401     401    401     200    200    200   200   200        200       200      200   200       setup
recommendation            401  401     401    401     200    200    200   200   200        200       404      200   200       setup
recommendation theirs     401  401     401    401     200    200    200   200   404        404       404      200   200       setup
updateRecommendation      401  401     401    401     403    200    200   200   200        200       404      200   403       setup
updateRecommendation theirs 401 401    401    401     403    200    200   200   404        404       404      200   403       setup
updateRecommendations     401  401     401    401     403    200    200   200   200        200       404      200   403       setup
updateRecommendations theirs 401 401    401    401     403    200    200   200   404        404       404      200   403       setup
# Report schedules
reportSchedules           401  401  401  401  200  200  200  200  200  200  200  200  200  setup
reportSchedule            401  401  401  401  200  200  200  200  404  404  404  200  200  setup
reportSchedule mine       401  401  401  401  200  200  200  200  200  200  404  200  200  setup
reportSchedule theirs     401  401  401  401  200  200  200  200  404  404  404  200  200  setup
createReportSchedule      401  401  401  401  403  201  201  201  201  201  201  201  403  setup
createReportSchedule theirs 401  401  401  401  403  201  201  201  400  400  400  201  403  setup
updateReportSchedule      401  401  401  401  403  200  200  200  404  404  404  200  403  setup
updateReportSchedule mine 401  401  401  401  403  200  200  200  200  200  404  200  403  setup
updateReportSchedule other 401  401  401  401  403  403  200  200  403  200  404  200  403  setup
updateReportSchedule theirs 401  401  401  401  403  200  200  200  404  404  404  200  403  setup
sendReportSchedule        401  401  401  401  403  201  201  201  404  404  404  201  403  setup
sendReportSchedule mine 401  401  401  401  403  201  201  201  201  201  404  201  403  setup
sendReportSchedule other 401  401  401  401  403  403  201  201  403  201  404  201  403  setup
sendReportSchedule theirs 401  401  401  401  403  201  201  201  404  404  404  201  403  setup
deleteReportSchedule      401  401  401  401  403  204  204  204  404  404  404  204  403  setup
deleteReportSchedule mine 401  401  401  401  403  204  204  204  204  204  404  204  403  setup
deleteReportSchedule other 401  401  401  401  403  403  204  204  403  204  404  204  403  setup
deleteReportSchedule theirs 401  401  401  401  403  204  204  204  404  404  404  204  403  setup
# Notifications
notificationPreferences   401  401     401    401     200    200    200   200   200        200       200      200   200       setup
updateNotificationPreferences 401 401  401    401     403    200    200   200   200        200       200      200   403       setup
setSlackWebhook           401  401     401    401     403    200    200   200   200        200       200      200   403       setup
testSlack                 401  401     401    401     403    409    409   409   409        409       409      409   403       setup
channels                  401  401     401    401     200    200    200   200   200        200       200      200   200       setup
channel                   401  401     401    401     200    200    200   200   200        200       404      200   200       setup
createChannel             401  401     401    401     403    403    201   201   403        403       201      201   403       setup
updateChannel             401  401     401    401     403    403    200   200   403        403       404      200   403       setup
deleteChannel             401  401     401    401     403    403    204   204   403        403       404      204   403       setup
testChannel               401  401     401    401     403    403    200   200   403        403       404      200   403       setup
rotateChannelSecret       401  401     401    401     403    403    200   200   403        403       404      200   403       setup
notifications             401  401     401    401     200    200    200   200   200        200       200      200   200       setup
# Reports
reports                   401  401     401    401     200    200    200   200   200        200       200      200   200       setup
report                    401  401     401    401     200    200    200   200   404        404       404      200   200       setup
report mine               401  401     401    401     200    200    200   200   200        200       404      200   200       setup
report theirs             401  401     401    401     200    200    200   200   404        404       404      200   200       setup
createReport              401  401     401    401     403    201    201   201   201        201       201      201   403       setup
createReport mine         401  401     401    401     403    201    201   201   201        201       400      201   403       setup
createReport theirs       401  401     401    401     403    201    201   201   400        400       400      201   403       setup
downloadReport            401  401     401    401     200    200    200   200   404        404       404      200   200       setup
downloadReport mine       401  401     401    401     200    200    200   200   200        200       404      200   200       setup
downloadReport theirs     401  401     401    401     200    200    200   200   404        404       404      200   200       setup
`;
