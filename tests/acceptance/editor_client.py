"""An editor by pygls: opens a file, asks for everything, applies the fix, and prints what it was told as JSON."""

import asyncio
import json
import pathlib
import sys

from lsprotocol import types
from pygls.lsp.client import LanguageClient


async def talk(program, root, name, pulls):
    """One session; `pulls` says whether the editor asks for diagnostics itself."""
    client = LanguageClient("editor", "1")
    published = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def keep(note):
        published.put_nowait(note)

    await client.start_io(program, "lsp", cwd=str(root))
    documents = types.TextDocumentClientCapabilities()
    if pulls:
        documents.diagnostic = types.DiagnosticClientCapabilities()
    begun = await client.initialize_async(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(text_document=documents), root_uri=root.as_uri()
        )
    )
    client.initialized(types.InitializedParams())
    uri = (root / name).as_uri()
    document = types.TextDocumentIdentifier(uri=uri)

    def opened(text):
        item = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    async def diagnostics(previous=None):
        if not pulls:
            note = await asyncio.wait_for(published.get(), 120)
            return {"kind": "pushed", "items": note.diagnostics}
        asked = types.DocumentDiagnosticParams(text_document=document, previous_result_id=previous)
        report = await client.text_document_diagnostic_async(asked)
        return {"kind": report.kind, "id": report.result_id, "items": getattr(report, "items", [])}

    def shown(report):
        item = lambda one: [one.code, one.severity, one.range.start.line, one.range.start.character, one.message]
        return {"kind": report["kind"], "items": [item(one) for one in report["items"]]}

    seen = {"server": begun.server_info.name}
    opened((root / name).read_text(encoding="utf-8"))
    first = await diagnostics()
    seen["first"] = shown(first)
    if pulls:
        seen["again"] = shown(await diagnostics(first["id"]))
    whole = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=99, character=0))
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    seen["lens"] = lenses[0].command.title
    place = next(one.range.start for one in first["items"] if one.code == "ruff:F821")
    hover = await client.text_document_hover_async(types.HoverParams(text_document=document, position=place))
    seen["hover"] = hover.contents.value
    context = types.CodeActionContext(diagnostics=[], only=[types.CodeActionKind.SourceFixAll])
    asked = types.CodeActionParams(text_document=document, range=whole, context=context)
    actions = await client.text_document_code_action_async(asked)
    seen["actions"] = [[action.title, action.kind.value if hasattr(action.kind, "value") else action.kind] for action in actions]
    [edit] = actions[0].edit.changes[uri]
    (root / name).write_text(edit.new_text, encoding="utf-8")
    client.text_document_did_save(types.DidSaveTextDocumentParams(text_document=document))
    seen["fixed"] = shown(await diagnostics(first.get("id")))
    await client.shutdown_async(None)
    client.exit(None)
    process = client._server
    seen["code"] = await asyncio.wait_for(process.wait(), 60)
    return seen


if __name__ == "__main__":
    print(json.dumps(asyncio.run(talk(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4] == "pull"))))
