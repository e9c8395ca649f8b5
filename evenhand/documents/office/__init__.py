"""Readers of the zipped-XML formats, DOCX and ODT, on one safe archive and one safe XML parser."""
