CREATE TRIGGER `labels_no_update` BEFORE UPDATE ON `labels` BEGIN SELECT RAISE(ABORT, 'labels is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `labels_no_delete` BEFORE DELETE ON `labels` BEGIN SELECT RAISE(ABORT, 'labels is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `verdicts_no_update` BEFORE UPDATE ON `verdicts` BEGIN SELECT RAISE(ABORT, 'verdicts is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `verdicts_no_delete` BEFORE DELETE ON `verdicts` BEGIN SELECT RAISE(ABORT, 'verdicts is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `calls_no_update` BEFORE UPDATE ON `calls` BEGIN SELECT RAISE(ABORT, 'calls is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `calls_no_delete` BEFORE DELETE ON `calls` BEGIN SELECT RAISE(ABORT, 'calls is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `replies_no_update` BEFORE UPDATE ON `replies` BEGIN SELECT RAISE(ABORT, 'replies is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `replies_no_delete` BEFORE DELETE ON `replies` BEGIN SELECT RAISE(ABORT, 'replies is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `looks_no_update` BEFORE UPDATE ON `looks` BEGIN SELECT RAISE(ABORT, 'looks is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `looks_no_delete` BEFORE DELETE ON `looks` BEGIN SELECT RAISE(ABORT, 'looks is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `reveals_no_update` BEFORE UPDATE ON `reveals` BEGIN SELECT RAISE(ABORT, 'reveals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `reveals_no_delete` BEFORE DELETE ON `reveals` BEGIN SELECT RAISE(ABORT, 'reveals is append-only'); END;
