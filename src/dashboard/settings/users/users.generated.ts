/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type UsersQueryVariables = Exact<{
  page: number;
  perPage: number;
  invitationsPage: number;
}>;


export type UsersQuery = { users: { items: Array<{ id: string, name: string, email: string, createdAt: string }>, meta: { page: number, perPage: number, total: number } }, invitations: { items: Array<{ id: string, email: string, createdAt: string, expiresAt: string }>, meta: { page: number, perPage: number, total: number } } };

export type UserRowFragment = { id: string, name: string, email: string, createdAt: string };

export type InvitationRowFragment = { id: string, email: string, createdAt: string, expiresAt: string };

export type InviteUserMutationVariables = Exact<{
  email: string;
}>;


export type InviteUserMutation = { inviteUser: { email: string, url: string | null } };

export type RevokeInvitationMutationVariables = Exact<{
  id: string;
}>;


export type RevokeInvitationMutation = { revokeInvitation: string };

export type RemoveUserMutationVariables = Exact<{
  id: string;
}>;


export type RemoveUserMutation = { removeUser: string };

export type PagingFragment = { page: number, perPage: number, total: number };

export const UsersDocument = "query Users($page:Int!$perPage:Int!$invitationsPage:Int!){users(page:$page perPage:$perPage){items{...UserRow}meta{...Paging}}invitations(page:$invitationsPage perPage:$perPage){items{...InvitationRow}meta{...Paging}}}fragment UserRow on User{id name email createdAt}fragment Paging on PageMeta{page perPage total}fragment InvitationRow on Invitation{id email createdAt expiresAt}" as unknown as DocumentNode<UsersQuery, UsersQueryVariables>;
export const InviteUserDocument = "mutation InviteUser($email:String!){inviteUser(email:$email){email url}}" as unknown as DocumentNode<InviteUserMutation, InviteUserMutationVariables>;
export const RevokeInvitationDocument = "mutation RevokeInvitation($id:ID!){revokeInvitation(id:$id)}" as unknown as DocumentNode<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const RemoveUserDocument = "mutation RemoveUser($id:ID!){removeUser(id:$id)}" as unknown as DocumentNode<RemoveUserMutation, RemoveUserMutationVariables>;