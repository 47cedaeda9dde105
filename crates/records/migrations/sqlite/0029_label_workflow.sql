-- Which workflow a program asked for, beside whom (0026).
ALTER TABLE calls ADD COLUMN label_workflow TEXT;
