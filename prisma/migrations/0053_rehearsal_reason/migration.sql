-- Why a rehearsal failed, where that is known: a live sale has the same stock Redis. The release before shows such a one
-- as failed.
ALTER TABLE rehearsals ADD COLUMN reason text CONSTRAINT rehearsals_reason_check CHECK (reason IN ('beside_live'));
