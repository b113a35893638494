-- Joining a waitlist can be refused, too. What is there fits, so nothing needs to be read.
ALTER TABLE refusals DROP CONSTRAINT refusals_place_check;
ALTER TABLE refusals ADD CONSTRAINT refusals_place_check CHECK (place IN ('entry', 'purchase', 'waitlist')) NOT VALID;
