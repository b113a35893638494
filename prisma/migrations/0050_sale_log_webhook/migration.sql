-- Where the heads of a sale's log go besides the address of the installation (decision 081). The release before knows no such
-- address and sends nothing there.
ALTER TABLE sales ADD COLUMN log_webhook_url text CONSTRAINT sales_log_webhook_url_check CHECK (length(log_webhook_url) <= 2000);
