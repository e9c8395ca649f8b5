"""Every error a user can meet, in one tree. Foreign exceptions are translated where they arise.

EvenhandError
├── UsageError                    wrong option, setting or argument
│   ├── MissingExtra              missing_extra: needs a part that is installed on request
│   ├── ConfirmationNeeded        confirmation_needed: done only when somebody says again that they mean it
│   ├── QueryError                a search that cannot be understood, with the place of the mistake
│   ├── FilterError               invalid_filter: a condition of a search that is not understood
│   ├── UnknownParameter          unknown_parameter: a name that a request or a search does not have
│   ├── ModelError                a trained model that is not used (`code` is stable)
│   │   ├── ModelNotFound         model_not_found
│   │   ├── ModelIncomplete       model_incomplete
│   │   ├── ModelAltered          model_altered
│   │   ├── ModelMalformed        model_malformed
│   │   ├── ModelUnsafe           model_unsafe
│   │   ├── ModelUnknownKind      model_unknown_kind
│   │   └── ModelUnfit            model_unfit
│   └── ExplanationError          an explanation that cannot be given (`code` is stable)
│       ├── UnknownTarget         unknown_target
│       ├── UnknownMethod         unknown_method
│       ├── UnknownBaseline       unknown_baseline
│       ├── NothingToExplain      nothing_to_explain
│       └── GradientsUnavailable  gradients_unavailable
├── IndexBusy                     another process is writing the search index
├── NotFound                      a job, application, batch that is not kept
├── SignInRefused                 sign_in_refused: wrong login or password, or too many attempts
├── Forbidden                     forbidden: a person may see this, but not do it
├── Conflict                      conflict: what is there is no longer, or not, what the request was made for
├── StoreError                    the database or its files cannot be used, or disagree
└── DocumentError                 a file that cannot become a resume (`code` is stable)
    ├── UnsupportedFormat         unsupported_format
    ├── EmptyDocument             empty_document
    ├── EncryptedDocument         encrypted_document
    ├── CorruptDocument           corrupt_document
    ├── TooLarge                  too_large
    ├── ArchiveBomb               archive_bomb
    ├── XmlDtdForbidden           xml_dtd_forbidden
    ├── ParseTimeout              parse_timeout
    ├── ParseMemory               parse_memory
    ├── ParseCrash                parse_crash
    ├── ScannedNoText             scanned_no_text
    └── UnreadableFile            unreadable_file
        └── SymbolicLink          symbolic_link: below a folder that was named
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class EvenhandError(Exception):
    """Root of the tree: catch this to catch everything Evenhand raises on purpose."""


class CodedError(EvenhandError):
    """`code` never changes; `sentence` is for people, and is said where nothing better is known."""

    code: ClassVar[str]
    sentence: ClassVar[str]

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.sentence)


class UsageError(EvenhandError):
    """The caller asked for something that does not exist or does not fit."""


class MissingExtra(UsageError):
    """What was asked for needs packages that only `pip install "evenhand[extra]"` brings."""

    code: ClassVar[str] = "missing_extra"
    sentence: ClassVar[str] = "This needs a part of Evenhand that is not installed."

    def __init__(self, extra: str, modules: Sequence[str]) -> None:
        names = " and ".join(modules) if len(modules) < 3 else f"{modules[0]} and {len(modules) - 1} more packages"
        are = "is" if len(modules) == 1 else "are"
        super().__init__(f'This needs {names}, which {are} not installed: pip install "evenhand[{extra}]"')
        self.extra = extra


class ConfirmationNeeded(UsageError):
    """A question: the same is done when it is asked for again with `batch`, the decision it is about, as confirmed."""

    def __init__(self, question: str, batch: str) -> None:
        super().__init__(question)
        self.batch = batch


class NotFound(EvenhandError):
    """What was asked for by its id or hash is not kept."""


class SignInRefused(CodedError):
    """Nobody is told which was wrong, or whether there is such a login; `wait_seconds` when to try again."""

    code = "sign_in_refused"
    sentence = "The login or the password is not right."

    def __init__(self, message: str | None = None, *, wait_seconds: int = 0) -> None:
        super().__init__(message)
        self.wait_seconds = wait_seconds


class Forbidden(CodedError):
    """The person is known, and what was asked for may be seen; the role does not go that far."""

    code = "forbidden"
    sentence = "Your role does not allow this."


class Conflict(EvenhandError):
    """What is there is not what the request was made for: another state, or something that exists already."""


class StoreError(EvenhandError):
    """The database or the files beside it cannot be reached, read or written."""


class QueryError(UsageError):
    """A search text that cannot be understood. `start` and `end` say where, half-open, in what was typed."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.start = start
        self.end = end


class FilterError(UsageError):
    """A condition of a search that is not understood; the message says what is accepted."""


class UnknownParameter(UsageError):
    """A name that nothing here has; the message lists those that are accepted."""


class ModelError(CodedError, UsageError):
    """A trained model that is refused."""

    code = "model_error"
    sentence = "The model cannot be used."


class ModelNotFound(ModelError):
    code = "model_not_found"
    sentence = "There is no such model."


class ModelIncomplete(ModelError):
    code = "model_incomplete"
    sentence = "The model lacks a file that its manifest names."


class ModelAltered(ModelError):
    code = "model_altered"
    sentence = "A file of the model is not the one that was saved."


class ModelMalformed(ModelError):
    code = "model_malformed"
    sentence = "The model's files are not what they should be."


class ModelUnsafe(ModelError):
    code = "model_unsafe"
    sentence = "The model is a pickle, which can run code when it is read; only safetensors are read."


class ModelUnknownKind(ModelError):
    code = "model_unknown_kind"
    sentence = "This version of Evenhand does not know the model's kind."


class ModelUnfit(ModelError):
    code = "model_unfit"
    sentence = "The model was made for another task or another encoder."


class ExplanationError(CodedError, UsageError):
    """An explanation that cannot be given."""

    code = "explanation_error"
    sentence = "This cannot be explained."


class UnknownTarget(ExplanationError):
    code = "unknown_target"
    sentence = "The model has no such label."


class UnknownMethod(ExplanationError):
    code = "unknown_method"
    sentence = "There is no such method of explaining, or not for this model."


class UnknownBaseline(ExplanationError):
    code = "unknown_baseline"
    sentence = "There is no such baseline, or not for this method."


class NothingToExplain(ExplanationError):
    code = "nothing_to_explain"
    sentence = "The model reads no word of this resume."


class GradientsUnavailable(ExplanationError):
    code = "gradients_unavailable"
    sentence = "This method needs torch, which is not installed; occlusion does without."


class SandboxUnavailable(CodedError, UsageError):
    """The setting sandbox asks for protections that this system does not offer."""

    code = "sandbox_unavailable"
    sentence = "This system cannot confine the processes that read files."


class IndexBusy(EvenhandError):
    """Another process is writing the search index; trying again later is enough."""


class DocumentError(CodedError):
    """A file that cannot be read."""

    code = "document_error"
    sentence = "The file could not be read."


class UnsupportedFormat(DocumentError):
    code = "unsupported_format"
    sentence = "This is not a PDF, DOCX, DOC, ODT, RTF, HTML or text file."


class EmptyDocument(DocumentError):
    code = "empty_document"
    sentence = "The file contains no text."


class EncryptedDocument(DocumentError):
    code = "encrypted_document"
    sentence = "The file is protected by a password; ask for an unprotected copy."


class CorruptDocument(DocumentError):
    code = "corrupt_document"
    sentence = "The file is damaged and cannot be opened."


class TooLarge(DocumentError):
    code = "too_large"
    sentence = "The file is larger than the limit."


class ArchiveBomb(DocumentError):
    code = "archive_bomb"
    sentence = "The file unpacks to far more data than a resume can hold."


class XmlDtdForbidden(DocumentError):
    code = "xml_dtd_forbidden"
    sentence = "The file declares XML entities or a document type, which resumes never need."


class ParseTimeout(DocumentError):
    code = "parse_timeout"
    sentence = "Reading the file took too long and was stopped."


class ParseMemory(DocumentError):
    code = "parse_memory"
    sentence = "Reading the file needed more memory than allowed and was stopped."


class ParseCrash(DocumentError):
    code = "parse_crash"
    sentence = "The file crashed the reader, which was restarted."


class ScannedNoText(DocumentError):
    code = "scanned_no_text"
    sentence = "The pages are pictures and no text could be recognised on them."


class UnreadableFile(DocumentError):
    code = "unreadable_file"
    sentence = "The file cannot be opened."


class SymbolicLink(UnreadableFile):
    code = "symbolic_link"
    sentence = "This is a symbolic link, and links inside a folder are not followed; name the file that it leads to."


DOCUMENT_ERRORS: dict[str, type[DocumentError]] = {
    kind.code: kind for kind in (*DocumentError.__subclasses__(), *UnreadableFile.__subclasses__())
}
MODEL_ERRORS: dict[str, type[ModelError]] = {kind.code: kind for kind in ModelError.__subclasses__()}
EXPLANATION_ERRORS: dict[str, type[ExplanationError]] = {kind.code: kind for kind in ExplanationError.__subclasses__()}
